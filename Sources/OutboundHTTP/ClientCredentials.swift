internal import FoundationEssentials

/// A client's id and secret, and how they are sent. Prints neither by description nor by reflection.
package struct ClientCredentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The two methods of RFC 6749 §2.3.1.
    package enum Method: Sendable { case basic, post }

    private let clientID: String
    private let secret: String
    private let method: Method

    /// Credentials.
    package init(clientID: String, secret: String, method: Method) {
        self.clientID = clientID
        self.secret = secret
        self.method = method
    }

    /// The part that is empty, as parameters name it: a setting was not there, say. nil where there are both.
    package var missingPart: String? {
        clientID.isEmpty ? "clientID" : secret.isEmpty ? "clientSecret" : nil
    }

    /// A form POST that carries the credentials.
    package func post(_ url: EndpointURL, form: [(name: String, value: String)]) -> OutboundRequest {
        switch method {
        case .basic:
            var request = OutboundRequest.post(url, form: form)
            request.fields.append(("Authorization", basicHeader))
            return request
        case .post:
            return .post(url, form: form + [("client_id", clientID), ("client_secret", secret)])
        }
    }

    /// Both parts are form-encoded before they are joined (RFC 6749 §2.3.1), so an id may hold a colon.
    package var basicHeader: String {
        var joined: [UInt8] = []
        FormEncoding.append(clientID, to: &joined)
        joined.append(UInt8(ascii: ":"))
        FormEncoding.append(secret, to: &joined)
        return "Basic " + Data(joined).base64EncodedString()
    }

    package var description: String { "credentials of a client" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
