import AuthStore
import FoundationEssentials
import JOSE
import OAuth
import TestSupport
import Testing

@testable import AuthServer

/// The program with a database of its own, which is there from the beginning but where that is the test.
struct Workplace {
    let directory: TemporaryDirectory
    var program: Program

    init(isTerminal: Bool = false, isMigrated: Bool = true) throws {
        directory = try TemporaryDirectory()
        let database = directory.file("registry.db")
        program = Program(
            environment: ["AUTHSERVER_DATABASE": database, "NO_COLOR": "1"], isTerminal: isTerminal)
        guard isMigrated else { return }
        try Registry(path: database, mode: .create).migrate(at: program.now * 1000)
    }

    /// Runs what must succeed.
    @discardableResult
    func run(_ line: String, input: String = "") async throws -> Outcome {
        let outcome = await attempt(line, input: input)
        try #require(outcome.exitCode == .ok, "\(line): \(outcome.messages)")
        return outcome
    }

    /// Runs what may fail.
    func attempt(_ line: String, input: String = "") async -> Outcome {
        await program.run(line.split(separator: " ").map(String.init), input: input)
    }

    /// Runs what must succeed and prints a document.
    func document(_ line: String, input: String = "") async throws -> JSONObject {
        let outcome = try await run(line + " --json", input: input)
        #expect(outcome.messages.isEmpty, "nothing but the document")
        return try #require(try JSON.parse(Array(outcome.output.utf8)).object)
    }
}

@Suite("Client commands")
struct ClientCommandTests {
    @Test("With --json there is one document, and the secret is a member of it")
    func json() async throws {
        let place = try Workplace()
        try await place.run("resource add RESOURCE_ID_BOOK --scopes read,write")
        let added = try await place.document(
            "client add gateway --grant RESOURCE_ID_BOOK=read --lifetime 15m --auth-method client_secret_basic"
        )
        #expect(added["client_secret"]?.string?.utf8.count == 43)
        let shown = try await place.document("client show gateway")
        #expect(
            shown["client_id"] == "gateway" && shown["token_lifetime"] == 900 && shown["disabled"] == false)
        #expect(shown["token_endpoint_auth_method"] == "client_secret_basic")
        #expect(shown["grants"] == ["RESOURCE_ID_BOOK": ["read"]])
        #expect(shown["created_at"] == .integer(place.program.now))
        #expect(shown["client_secret"] == nil)
        let secret = try #require(shown["secrets"]?.array?.first?.object)
        #expect(secret["not_before"] == .integer(place.program.now), "one that is good at once")
    }

    @Test(
        "The overlap of a rotation decides when the older secret ends (T24)",
        arguments: [("0", 0), ("24h", 86_400)])
    func overlap(text: String, seconds: Int64) async throws {
        var place = try Workplace()
        try await place.run("client add gateway")
        let rotated = try await place.document("client rotate-secret gateway --overlap \(text)")
        #expect(rotated["older_secrets_expire_at"] == .integer(place.program.now + seconds))
        place.program.now += max(0, seconds - 1)
        let during = try await validSecrets(place)
        place.program.now += 1
        let after = try await validSecrets(place)
        #expect(during == (seconds == 0 ? 1 : 2) && after == 1)
    }

    private func validSecrets(_ place: Workplace) async throws -> Int {
        let secrets = try await place.document("client show gateway")["secrets"]?.array ?? []
        return secrets.filter { $0.object?["valid"] == true }.count
    }

    @Test(
        "A brought secret loses its line end and nothing else, and is printed nowhere",
        arguments: [
            "a long enough secret\n", "a long enough secret\r\n", "a long enough secret",
            " spaces are kept  \n",
        ])
    func broughtSecret(input: String) async throws {
        let outcome = try await Workplace().run("client add gateway --secret-stdin", input: input)
        #expect(outcome.output.isEmpty)
        #expect(!outcome.messages.contains("long enough") && !outcome.messages.contains("kept"))
    }

    @Test(
        "A secret that is no secret is refused without being repeated",
        arguments: [
            ("", false), ("\n", false), ("short\n", true), ("line\nbreak is in the secret\n", false),
            ("line\nbreak\n", false), ("\u{FEFF}a long enough secret\n", false),
            (String(repeating: "x", count: 5000), false),
        ])
    func refusedSecret(input: String, isShort: Bool) async throws {
        let place = try Workplace()
        let outcome = await place.attempt("client add gateway --secret-stdin", input: input)
        #expect(outcome.exitCode == .usage && outcome.output.isEmpty)
        #expect(outcome.messages.contains("--allow-weak-secret") == isShort, "where it helps")
        #expect(!outcome.messages.contains("short\n") && !outcome.messages.contains("xxxx"))
        #expect(await place.attempt("client show gateway").exitCode == .failed, "not registered")
    }

    @Test("A hint with a name that holds spaces can be typed as it is")
    func quotedHint() async throws {
        let place = try Workplace()
        let outcome = await place.program.run("client", "add", "it's mine")
        #expect(outcome.messages.contains("authserver client grant 'it'\\''s mine' RESOURCE=scope"))
        #expect(ShellWord.quoted("gateway-1.x") == "gateway-1.x" && ShellWord.quoted("") == "''")
        #expect(ShellWord.quoted("$(x)") == "'$(x)'")
        #expect(ShellWord.command("client show", "a b") == "authserver client show 'a b'")
        #expect(ShellWord.command("x", "-r", "more", flags: "--yes") == "authserver x --yes -- -r more")
        #expect(ShellWord.command("x", "r", "more", flags: "--yes") == "authserver x r more --yes")
        #expect(ShellWord.flag(TokenRevoke.client, "-a") == "--client -a")
        #expect(ShellWord.flag(TokenRevoke.client, "--a b") == "--client='--a b'")
    }

    @Test(
        "A name that is none is a wrong command line",
        arguments: ["add", "set"], ["", "a\u{7}", String(repeating: "x", count: 256)])
    func malformedName(command: String, name: String) async throws {
        let outcome = await (try Workplace()).program.run("client", command, "gateway", "--name", name)
        #expect(outcome.exitCode == .usage && outcome.messages.contains("--name: "))
        #expect(
            outcome.messages.contains("hint: a client's name has 1 to 255 bytes and no control characters\n"))
        #expect(!outcome.messages.contains("\u{7}"))
    }

    @Test(
        "On a terminal a rotation that ends a good secret at once asks first, and a no changes nothing",
        arguments: ["n\n", "y\n"])
    func rotationAsks(answer: String) async throws {
        let place = try Workplace(isTerminal: true)
        try await place.run("client add gateway")
        let before = try await secretIDs(place)
        let outcome = await place.attempt("client rotate-secret gateway", input: answer)
        #expect(outcome.messages.contains("which --overlap 24h would keep for a day? [y/N] "))
        let isDone = answer == "y\n"
        #expect(outcome.exitCode == (isDone ? .ok : .failed), "\(outcome)")
        #expect(try await (secretIDs(place) == before) == !isDone)
        #expect(try await validSecrets(place) == 1)
    }

    @Test(
        "Nobody is asked where the end is said, or there is nothing to end",
        arguments: ["--overlap 0", "--overlap 24h", ""])
    func rotationUnasked(flags: String) async throws {
        var place = try Workplace(isTerminal: true)
        try await place.run("client add gateway")
        if flags.isEmpty {
            try await place.run("client remove-secret gateway \(secretIDs(place)[0])", input: "y\n")
        }
        place.program.now += 1
        let outcome = try await place.run("client rotate-secret gateway \(flags)")
        #expect(!outcome.messages.contains("[y/N]"), "\(outcome)")
    }

    @Test(
        "Where nobody can be asked, a rotation that ends a good secret is a wrong command line without --overlap",
        arguments: [(false, ""), (true, " --json"), (false, " --secret-stdin")])
    func rotationRefused(isTerminal: Bool, flags: String) async throws {
        let place = try Workplace(isTerminal: isTerminal)
        try await place.run("client add gateway")
        let before = try await secretIDs(place)
        let outcome = await place.attempt(
            "client rotate-secret gateway" + flags, input: "y\na long enough secret\n")
        #expect(outcome.exitCode == .usage && outcome.output.isEmpty)
        #expect(outcome.messages.contains("give --overlap 24h, or --overlap 0 to end it at once"))
        #expect(try await secretIDs(place) == before)
    }

    @Test("An overlap is a number with a unit, or nothing", arguments: ["24", "1", "86400", "00024"])
    func overlapWithoutUnit(text: String) async throws {
        let place = try Workplace()
        try await place.run("client add gateway")
        let outcome = await place.attempt("client rotate-secret gateway --overlap \(text)")
        #expect(outcome.exitCode == .usage)
        #expect(outcome.messages.contains("write \(text)h, \(text)m or \(text)s for"))
        #expect(try await validSecrets(place) == 1)
    }

    private func secretIDs(_ place: Workplace) async throws -> [String] {
        let secrets = try await place.document("client show gateway")["secrets"]?.array ?? []
        return secrets.compactMap { $0.object?["secret_id"]?.string }
    }

    @Test("An overlap beyond a year is a wrong command line")
    func longOverlap() async throws {
        let outcome = await (try Workplace()).attempt("client rotate-secret gateway --overlap 366d")
        #expect(outcome.exitCode == .usage)
        #expect(outcome.messages.contains("hint: secrets may overlap for up to a year\n"))
    }

    @Test("A short secret is taken when that is asked for by name")
    func weakSecret() async throws {
        try await Workplace().run("client add gateway --secret-stdin --allow-weak-secret", input: "short\n")
    }

    @Test(
        "On a terminal a removal asks first, and a no changes nothing",
        arguments: ["n\n", "\n", "", "yess\n"])
    func refusedRemoval(answer: String) async throws {
        let place = try Workplace(isTerminal: true)
        try await place.run("client add gateway")
        let outcome = await place.attempt("client remove gateway", input: answer)
        #expect(outcome.exitCode == .failed)
        #expect(outcome.messages.contains("removing client gateway with its secrets and grants? [y/N] "))
        try await place.run("client show gateway")
    }

    @Test("On a terminal a removal that is confirmed is done", arguments: ["y\n", "YES\n"])
    func confirmedRemoval(answer: String) async throws {
        let place = try Workplace(isTerminal: true)
        try await place.run("client add gateway")
        try await place.run("client remove gateway", input: answer)
        #expect(await place.attempt("client show gateway").exitCode == .failed)
    }

    @Test("A terminal gets a table under a heading")
    func table() async throws {
        let place = try Workplace(isTerminal: true)
        try await place.run("client add gateway")
        let outcome = try await place.run("client list")
        #expect(
            outcome.output.hasPrefix(
                "CLIENT   NAME     STATUS   LIFETIME  GRANTS\ngateway  gateway  enabled  1h"))
    }

    @Test(
        "An id that is no client id is a usage error",
        arguments: ["client add \u{1B}[2J", "client show \u{7}"])
    func malformedID(line: String) async throws {
        let outcome = await (try Workplace()).attempt(line)
        #expect(outcome.exitCode == .usage)
        #expect(!outcome.messages.contains("\u{1B}") && !outcome.messages.contains("\u{7}"))
    }

    @Test(
        "Errors are documents with --json, whatever is wrong",
        arguments: ["client show nobody", "client shwo x", "clinet"])
    func errorDocuments(line: String) async throws {
        let place = try Workplace()
        try await place.run("client add gateway")
        let outcome = await place.attempt(line + " --json")
        #expect(outcome.output.isEmpty && outcome.exitCode != .ok)
        let document = try #require(try JSON.parse(Array(outcome.messages.utf8)).object)
        #expect(document["error"]?.string?.isEmpty == false && document["message"]?.string?.isEmpty == false)
    }
}

@Suite("Grants on the command line")
struct GrantArgumentTests {
    @Test("The last equals sign divides, because a resource may be a URI that holds others")
    func uri() throws {
        let grant = try GrantArgument("https://api.example.com/?tenant=1=read,write")
        #expect(grant.resource.value == "https://api.example.com/?tenant=1")
        #expect(grant.scopes?.description == "read write")
    }

    @Test("A grant without scopes is none", arguments: ["R", "R=", "R=,", "=read", "", "R=a\"b", "R S=read"])
    func malformed(text: String) {
        let error = #expect(throws: CommandError.self) { try GrantArgument.list([text]) }
        #expect(error?.exitCode == .usage)
    }
}
