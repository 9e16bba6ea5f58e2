import JOSE
import OAuth

/// How large a token may be: no larger than one that this server, and guards, would read.
enum TokenSize {
    /// Looks at a token that was made.
    /// - Throws: `invalid_target` or `invalid_scope`: what to ask for less of.
    static func check(_ token: [UInt8], for decision: GrantPolicy.Decision) throws(OAuthError) {
        let most = CompactJWS.defaultMaximumBytes
        guard token.count > most else { return }
        let trouble = "the token would be larger than \(most) bytes"
        guard decision.audience.count == 1 else {
            throw .invalidTarget("\(trouble): ask for fewer resources, by the parameter resource")
        }
        throw .invalidScope("\(trouble): ask for fewer scopes, by the parameter scope")
    }
}
