/// Where a client's credentials are from.
package enum CredentialsSource: Sendable {
    case fixed(ClientCredentials)
    /// The secret is in a file, which is read at each request.
    case file(SecretFile, clientID: String, method: ClientCredentials.Method)

    /// The credentials as they are now.
    package func read() throws(SecretFileError) -> ClientCredentials {
        switch self {
        case .fixed(let credentials): credentials
        case .file(let file, let clientID, let method):
            ClientCredentials(clientID: clientID, secret: try file.secret(), method: method)
        }
    }

    /// What is wrong from the start; nil where nothing is.
    package var trouble: String? {
        let missing =
            switch self {
            case .fixed(let credentials): credentials.missingPart
            case .file(_, let clientID, _): clientID.isEmpty ? "clientID" : nil
            }
        return missing.map { "\($0): it is empty: is the setting there that it comes from?" }
    }

    /// The credentials as they are now, where they are others than those that were refused: the file was replaced
    /// after they were read.
    package func successor(of refused: ClientCredentials) -> ClientCredentials? {
        guard let now = try? read(), now != refused else { return nil }
        return now
    }
}
