import AuthStore
import OAuth

/// How the log names a client: in full one that the registry has, by the beginning of its id any other. Who swaps id
/// and secret, or loses the colon between them, sends a secret as an id; so there is no way from an id alone to the log.
struct LoggedClient: Sendable, Equatable {
    /// What the log has of the id.
    let text: String
    /// Whether that is its beginning, so that the log has an ellipsis after it.
    let isBeginning: Bool

    /// As the log has it.
    var name: String { isBeginning ? text + "…" : text }

    /// One that the registry has.
    init(_ client: RegisteredClient) { (text, isBeginning) = (client.id.value, false) }

    /// The one that a token was signed for.
    init(_ token: ClientCredentials.SignedToken) {
        (text, isBeginning) = (token.claims.clientID.value, false)
    }

    /// What a request says its client is, where the registry was not asked or has none such.
    init(stranger id: ClientID) { (text, isBeginning) = (StrangeName.start(of: id.value), true) }

    /// What the registry has for an id that a request names, or else what it names. It takes the same time, and so does
    /// the log's line: else the time of a refusal would tell which clients there are.
    init(_ client: RegisteredClient?, statedAs id: ClientID) {
        let stranger = LoggedClient(stranger: id)
        guard let client else {
            // What is beyond ASCII takes the log longer, the more of it there is.
            if !id.value.utf8.allSatisfy({ $0 < 0x7F }) { _ = Printable.text(id.value) }
            self = stranger
            return
        }
        self = LoggedClient(client)
    }
}
