import JOSE
import OpenSSLCrypto

/// A token from the texts of its parts, signed for real: what a forger or a strange issuer could send.
struct TokenMaker {
    let key: PrivateKey

    func token(header: String, payload: String = "{}") throws -> [UInt8] {
        var token: [UInt8] = []
        Base64URL.encode(Array(header.utf8).span, appendingTo: &token)
        token.append(UInt8(ascii: "."))
        Base64URL.encode(Array(payload.utf8).span, appendingTo: &token)
        let signature = try Signer(key).sign(token.span)
        token.append(UInt8(ascii: "."))
        Base64URL.encode(signature.span, appendingTo: &token)
        return token
    }
}

/// Reads a token; `nil` when it is refused.
func read(_ token: [UInt8]) -> CompactJWS? { try? CompactJWS(parsing: token) }

/// Why a token is refused.
func refusal(of token: [UInt8]) -> JWSError? {
    do {
        _ = try CompactJWS(parsing: token)
        return nil
    } catch {
        return error
    }
}
