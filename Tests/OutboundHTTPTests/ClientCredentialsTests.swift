import Foundation
import OutboundHTTP
import Testing

struct ClientCredentialsTests {
    private let id = "1PpG/Q 1"
    private let secret = "z/tZ9V+u:X2/8=%&£€"

    @Test func `T1 both parts are form-encoded before base64 (RFC 6749 §2.3.1)`() throws {
        let credentials = ClientCredentials(clientID: id, secret: secret, method: .basic)
        let decoded = try #require(Data(base64Encoded: String(credentials.basicHeader.dropFirst(6))))
        #expect(
            String(decoding: decoded, as: UTF8.self)
                == "1PpG%2FQ+1:z%2FtZ9V%2Bu%3AX2%2F8%3D%25%26%C2%A3%E2%82%AC")
    }

    @Test func `client_secret_post puts both into the form and sends no header`() throws {
        let credentials = ClientCredentials(clientID: id, secret: secret, method: .post)
        let request = credentials.post(try EndpointURL("https://auth.example"), form: [("a", "b c")])
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "a=b+c&client_id=1PpG%2FQ+1&client_secret=z%2FtZ9V%2Bu%3AX2%2F8%3D%25%26%C2%A3%E2%82%AC")
        #expect(!request.fields.contains { $0.name == "Authorization" })
    }

    @Test func `neither printing nor dumping shows the secret`() {
        let credentials = ClientCredentials(clientID: id, secret: secret, method: .basic)
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains(secret))
        }
    }
}
