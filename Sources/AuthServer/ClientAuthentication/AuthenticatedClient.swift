import AuthStore

/// A client whose secret was right.
struct AuthenticatedClient {
    /// Who it is.
    let client: RegisteredClient
    /// Which of its secrets it sent, for the log: so that it is seen who still uses the one before.
    let secretID: String

    /// nil without a client.
    init?(_ client: RegisteredClient?, _ secretID: String) {
        guard let client else { return nil }
        (self.client, self.secretID) = (client, secretID)
    }
}
