import OAuth

@testable import AuthStore

extension StoredToken {
    /// A token with an identifier of its own; issued a minute before it ends unless told otherwise.
    static func make(
        client: ClientID = "gateway", issuedAt: Milliseconds? = nil, expiresAt: Int64
    ) -> StoredToken {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let text = String((0..<22).map { _ in alphabet[Int.random(in: 0..<64)] })
        guard let id = try? TokenID(text) else { fatalError("\(text) is no token id") }
        return StoredToken(
            tokenID: id, clientID: client, issuedAtMilliseconds: issuedAt ?? (expiresAt - 60) * 1000,
            expiresAt: expiresAt)
    }
}
