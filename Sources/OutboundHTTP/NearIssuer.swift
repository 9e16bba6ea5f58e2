/// Two issuers that are not the same, letter by letter (RFC 8414 §3.3), but nearly: which of two sides to change.
package enum NearIssuer {
    /// What to do; nil where more differs than a slash at the end or the scheme.
    ///
    /// Nobody is told to give up https: where the server's own name lacks it, it is the server's to mend.
    /// - Parameters:
    ///   - stated: the server's own name for itself.
    ///   - expected: what `recipient` was given.
    package static func advice(stated: String, expected: String, recipient: String) -> String? {
        if isSame(expected, stated + "/") {
            return "give \(recipient) the issuer without the slash at the end"
        }
        if isSame(stated, expected + "/") { return "give \(recipient) the issuer with the slash at the end" }
        if isSame(stated, encrypted(expected)) { return "give \(recipient) the issuer with https" }
        if isSame(expected, encrypted(stated)) {
            return "give the authorization server its issuer with https: authserver serve --issuer"
        }
        return nil
    }

    /// The same with https; nil where it does not begin with http.
    private static func encrypted(_ issuer: String) -> String? {
        let scheme = "http://"
        return issuer.hasPrefix(scheme) ? "https://" + issuer.dropFirst(scheme.count) : nil
    }

    /// By bytes: Swift takes some texts for equal that differ.
    private static func isSame(_ left: String, _ right: String?) -> Bool {
        right.map { left.utf8.elementsEqual($0.utf8) } ?? false
    }
}
