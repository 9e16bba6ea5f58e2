import OAuth

/// `client_secret_post` (RFC 6749 §2.3.1): the id and the secret as parameters of the body.
enum ClientSecretPost {
    /// Reads a body's parameters; nil where they hold no secret.
    static func read(_ parameters: FormParameters) -> PresentedCredentials? {
        guard let secret = parameters["client_secret"], let id = parameters["client_id"] else { return nil }
        let reading = (try? ClientID(id)).map {
            PresentedCredentials.Reading(clientID: $0, secret: Array(secret.utf8))
        }
        return PresentedCredentials(method: .post, readings: [reading].compactMap { $0 })
    }
}
