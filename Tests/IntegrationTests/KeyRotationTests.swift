import Foundation
import HTTP
import JOSE
import OpenSSLCrypto
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    /// T30: one key signs, all whose tokens may live are published, and every token verifies with the published set.
    @Suite("Signing keys while the server runs")
    struct KeyRotationTests {
        @Test(
            "--now: the new key signs at once, tokens of the old one go on being good",
            arguments: ["ES256", "EdDSA", "RS256", "PS256"])
        func rotatingNow(algorithm: String) async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let old = try await dialogue.issue()
                let keyID = try await admin.run("key rotate --now --algorithm \(algorithm)")
                let new = try await dialogue.issue()
                #expect(IssuedToken(new)?.header["kid"]?.string == keyID)
                #expect(IssuedToken(new)?.header["alg"]?.string == algorithm)
                #expect(try await Self.keys(dialogue).count == 2)
                for token in [old, new] {
                    #expect(try await Self.verifies(token, dialogue))
                    try await dialogue.introspect(token).isActive()
                }
                #expect(dialogue.problems == [])
            }
        }

        @Test("Two keys of one algorithm: the newer one signs, both verify")
        func twoOfOneAlgorithm() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                var tokens = [try await dialogue.issue()]
                for _ in 0..<2 {
                    try await admin.run("key rotate --now")
                    tokens.append(try await dialogue.issue())
                }
                #expect(Set(tokens.map { IssuedToken($0)?.header["kid"]?.string }).count == 3)
                for token in tokens { #expect(try await Self.verifies(token, dialogue)) }
            }
        }

        @Test("A planned rotation: published at once, signs when max-age is over; the ETag follows")
        func rotatingLater() async throws {
            try await withServer(arguments: ["--jwks-max-age", "2s"]) { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let before = try await dialogue.get("/.well-known/jwks.json").has(
                    "Cache-Control", "public, max-age=2")
                let start = ContinuousClock.now
                let keyID = try await admin.run("key rotate --jwks-max-age 2s")
                let after = try await dialogue.get("/.well-known/jwks.json")
                #expect(before.response.value("etag") != after.response.value("etag"))
                #expect(try await Self.keys(dialogue).contains(keyID))
                let token = try await dialogue.issue()
                // Only where the machine was fast enough to ask before the key's time.
                if ContinuousClock.now - start < .seconds(2) {
                    #expect(IssuedToken(token)?.header["kid"]?.string != keyID)
                }
                try await eventually("the new key signs") {
                    IssuedToken(try await dialogue.issue())?.header["kid"]?.string == keyID
                }
                #expect(ContinuousClock.now - start >= .seconds(2))
                #expect(try await Self.verifies(token, dialogue))
                #expect(dialogue.problems == [])
            }
        }

        @Test("A retired key is published no more, and its tokens are inactive")
        func retiring() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue()
                let old = IssuedToken(token)?.header["kid"]?.string ?? ""
                let new = try await admin.run("key rotate --now")
                try await admin.run("key retire --yes -- \(old)")
                #expect(try await Self.keys(dialogue) == [new])
                try await dialogue.introspect(token).isInactive()
                try await dialogue.introspect(try await dialogue.issue()).isActive()
                #expect(dialogue.problems == [])
            }
        }

        @Test("A key that is retired while the server cannot decrypt the others is out of use all the same")
        func retiringUnderAnotherMasterKey() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let file = server.scenario.file("master.key")
                try Data(String(repeating: "0f", count: 32).utf8).write(to: URL(fileURLWithPath: file))
                #expect(chmod(file, 0o600) == 0)
                let token = try await dialogue.issue()
                let old = IssuedToken(token)?.header["kid"]?.string ?? ""
                try await admin.run("key encrypt --master-key-file \(file)")
                try await admin.run("key rotate --now --master-key-file \(file)")
                // The server knows the old key from before, and the new one not at all.
                #expect(IssuedToken(try await dialogue.issue())?.header["kid"]?.string == old)
                try await dialogue.introspect(token).isActive()
                try await admin.run("key retire --yes -- \(old)")
                #expect(try await Self.keys(dialogue) == [])
                try await dialogue.introspect(token).isInactive()
                try await dialogue.token().has(status: 503)
                let ready = try await dialogue.get("/readyz").has(status: 503)
                #expect(ready.response.json?["signing_keys"] == "unavailable")
                #expect(server.log.contains("signing keys of the registry cannot be decrypted"))
                #expect(dialogue.problems == [])
            }
        }

        private static func keys(_ dialogue: Dialogue) async throws -> [String] {
            let keys = try await dialogue.get("/.well-known/jwks.json").response.json?["keys"]?.array ?? []
            return keys.compactMap { $0.object?["kid"]?.string }
        }

        /// Whether a token verifies with the key that is published under its `kid`.
        private static func verifies(_ token: String, _ dialogue: Dialogue) async throws -> Bool {
            let set = try JWKSet(parsing: try await dialogue.get("/.well-known/jwks.json").response.body.span)
            let signature = try CompactJWS(parsing: Array(token.utf8))
            return set.key(for: signature.header).map(signature.verify) ?? false
        }
    }
}
