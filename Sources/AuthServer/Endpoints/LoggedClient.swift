import AuthStore
import OAuth

/// How the log names a client: in full one that the registry has, by the beginning of its id any other. Who swaps id
/// and secret, or loses the colon between them, sends a secret as an id; so there is no way from an id alone to the log.
struct LoggedClient: Sendable, Equatable {
    /// What the log has.
    let name: String

    /// One that the registry has.
    init(_ client: RegisteredClient) { name = client.id.value }

    /// The one that a token was signed for.
    init(_ token: ClientCredentials.SignedToken) { name = token.claims.clientID.value }

    /// What a request says its client is, where the registry was not asked or has none such.
    init(stranger id: ClientID) { name = StrangeName.beginning(of: id.value) }

    /// What the registry has for an id that a request names, or else what it names.
    init(_ client: RegisteredClient?, statedAs id: ClientID) {
        self = client.map(LoggedClient.init) ?? LoggedClient(stranger: id)
    }
}
