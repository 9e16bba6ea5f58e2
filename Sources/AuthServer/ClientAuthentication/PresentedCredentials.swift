import OAuth

/// What a request says it is: a method, and the readings of its client id and secret.
struct PresentedCredentials {
    /// The methods of RFC 8414 §2 that this server has.
    enum Method: String, CaseIterable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    /// One reading of the credentials. Has no description: the secret is not printed by mistake.
    struct Reading: Equatable {
        let clientID: ClientID
        let secret: [UInt8]
    }

    let method: Method
    /// One or two readings; empty when the header can be read in no way, which fails as a wrong secret does.
    let readings: [Reading]
}
