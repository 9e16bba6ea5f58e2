import JOSE
import Testing

@testable import AuthServer

@Suite("Resource commands")
struct ResourceCommandTests {
    @Test("A resource gets an owner when it is added, or later, and can lose it")
    func owner() async throws {
        let place = try Workplace()
        try await place.run("client add book")
        let added = try await place.document("resource add RESOURCE_ID_BOOK --scopes write,read --owner book")
        #expect(added["owner"] == "book" && added["scopes"] == ["read", "write"])
        #expect(try await place.document("resource set RESOURCE_ID_BOOK --no-owner")["owner"] == .null)
        #expect(try await place.document("resource set RESOURCE_ID_BOOK --owner book")["owner"] == "book")
        #expect(try await place.document("client show book")["owned_resources"] == ["RESOURCE_ID_BOOK"])
    }

    @Test("An owner has to exist, and nothing is added without it")
    func unknownOwner() async throws {
        let place = try Workplace()
        let outcome = await place.attempt("resource add RESOURCE_ID_BOOK --scopes read --owner nobody --json")
        #expect(outcome.exitCode == .failed && outcome.messages.contains("\"error\":\"not_found\""))
        #expect(try await place.document("resource list")["resources"] == [])
    }

    @Test("Scopes are added to those that are there")
    func addScopes() async throws {
        let place = try Workplace()
        try await place.run("resource add RESOURCE_ID_BOOK --scopes read")
        let changed = try await place.document("resource set RESOURCE_ID_BOOK --add-scopes admin,read")
        #expect(changed["scopes"] == ["admin", "read"])
    }

    @Test(
        "What is malformed is a usage error",
        arguments: [
            "resource add RESOURCE_ID_BOOK", "resource add RESOURCE#1 --scopes read",
            "resource set RESOURCE_ID_BOOK",
            "resource add RESOURCE_ID_BOOK --scopes a\"b", "resource set R --owner a --no-owner",
            "resource show",
        ])
    func malformed(line: String) async throws {
        #expect(await (try Workplace()).attempt(line).exitCode == .usage)
    }
}

@Suite("Key commands")
struct KeyCommandTests {
    @Test(
        "A rotated key waits for the max-age, then signs, and the older one stays until its last token ended (T30)"
    )
    func rotation() async throws {
        var place = try Workplace()
        try await place.run("key rotate")
        try await place.run("key rotate --jwks-max-age 10m --algorithm EdDSA")
        #expect(try await statuses(place) == ["ES256 signing", "EdDSA waiting"])
        place.program.now += 599
        #expect(try await statuses(place) == ["ES256 signing", "EdDSA waiting"])
        place.program.now += 1
        #expect(try await statuses(place) == ["ES256 published", "EdDSA signing"])
        place.program.now += 86_400 + 3600
        #expect(try await statuses(place) == ["ES256 ended", "EdDSA signing"])
    }

    @Test("In an emergency the new key signs at once, and the other is retired")
    func emergency() async throws {
        var place = try Workplace()
        let stolen = try await place.document("key rotate")["kid"]?.string ?? ""
        place.program.now += 1
        try await place.run("key rotate --now --algorithm PS256")
        try await place.run("key retire --yes -- \(stolen)")
        #expect(try await statuses(place) == ["ES256 retired", "PS256 signing"])
    }

    private func statuses(_ place: Workplace) async throws -> [String] {
        let keys = try await place.document("key list")["keys"]?.array ?? []
        return keys.compactMap(\.object).map { key in
            "\(key["alg"]?.string ?? "") \(key["status"]?.string ?? "")"
        }
    }
}
