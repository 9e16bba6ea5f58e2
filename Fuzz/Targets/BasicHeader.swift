import Foundation
import HTTP
import OAuth
import OutboundHTTP

@testable import AuthServer

extension FuzzTarget {
    /// Client authentication (RFC 6749 §2.3.1): the Authorization header, and base64.
    static let basicHeader = FuzzTarget(name: "basic-header") { input in
        checkBase64(input)
        let header = input.text
        demand(ClientSecretBasic.read(header).readings.count <= 2, "a header has more than two readings")
        checkWriting(input)
        checkRequest(input)
    }

    /// The server's decoder takes exactly the canonical texts.
    private static func checkBase64(_ input: [UInt8]) {
        let text = Data(input).base64EncodedString()
        demand(input.isEmpty || Base64.decode(text.utf8.span) == input, "encoding does not decode")
        guard let bytes = Base64.decode(input.span) else { return }
        demand(Data(bytes).base64EncodedString().utf8.elementsEqual(input), "a text that is not canonical")
    }

    /// Id and secret that a client sends are those that the server reads first.
    private static func checkWriting(_ input: [UInt8]) {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].contains(0) else { return }
        let (id, secret) = (Array(parts[0]).text, Array(parts[1]).text)
        guard let clientID = try? ClientID(id) else { return }
        let header = ClientCredentials(clientID: id, secret: secret, method: .basic).basicHeader
        guard header.utf8.count <= ClientSecretBasic.maximumBytes else { return }
        let reading = ClientSecretBasic.read(header).readings.first
        demand(reading?.clientID == clientID, "the id changes on its way")
        demand(reading?.secret == Array(secret.utf8), "the secret changes on its way")
    }

    /// One method alone is ever taken: the first line is the header, the rest the body.
    private static func checkRequest(_ input: [UInt8]) {
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let parameters = try? FormParameters(parsing: Array(parts[1])) else { return }
        let request = HTTPRequest(
            method: "POST", path: "/oauth/token",
            fields: [HTTPField("Authorization", Array(parts[0]).text)])
        guard let credentials = try? PresentedCredentials.read(from: request, parameters) else { return }
        demand(credentials.method == .basic, "the body wins over the header")
        demand(parameters["client_secret"] == nil, "two methods are taken")
        if let id = parameters["client_id"], !credentials.readings.isEmpty {
            demand(
                credentials.readings.contains { $0.clientID.value.isSame(as: id) }, "two client ids are taken"
            )
        }
    }
}
