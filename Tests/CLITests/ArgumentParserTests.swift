import Testing

@testable import AuthServer

private let name = Flag("name", .value)
private let grant = Flag("grant", .repeatedValue)
private let parser = ArgumentParser(flags: [name, grant, .json], positionals: [Positional("CLIENT")])

@Suite("Command line arguments")
struct ArgumentParserTests {
    @Test(
        "A value follows its flag or an equals sign",
        arguments: [["--name", "a=b", "id"], ["--name=a=b", "id"], ["id", "--name", "a=b"]])
    func values(arguments: [String]) throws {
        let parsed = try parser.parse(arguments)
        #expect(parsed.value(name) == "a=b")
        #expect(parsed.positionals == ["id"])
    }

    @Test(
        "The first equals sign ends the flag, whatever combines with it",
        arguments: ["\u{73C}x", "\u{301}", "\u{200D}a=b", "=\u{20E0}"])
    func combining(value: String) throws {
        #expect(
            try parser.parse(["--name=\(value)", "id"]).value(name)?.utf8.elementsEqual(value.utf8) == true)
    }

    @Test("A repeated flag keeps its values in order")
    func repeated() throws {
        let parsed = try parser.parse(["--grant", "a=1", "id", "--grant=b=2", "--json"])
        #expect(parsed.values(grant) == ["a=1", "b=2"])
        #expect(parsed.has(.json))
    }

    @Test("After -- everything is an argument; a lone dash is one")
    func doubleDash() throws {
        #expect(try parser.parse(["--", "--name"]).positionals == ["--name"])
        #expect(try parser.parse(["-"]).positionals == ["-"])
    }

    @Test("An empty value is a value")
    func emptyValue() throws {
        #expect(try parser.parse(["--name=", "id"]).value(name) == "")
    }

    @Test("Help is shown whatever else is missing", arguments: ["-h", "--help"])
    func help(flag: String) throws {
        #expect(try parser.parse([flag]).has(.help))
    }

    @Test(
        "A malformed line says what is wrong",
        arguments: [
            (["id", "--nmae", "x"], "unknown flag --nmae", "did you mean --name?"),
            (["id", "--gra", "x"], "unknown flag --gra", "did you mean --grant?"),
            (["-j"], "unknown flag -j", "did you mean --json?"),
            (["-x"], "unknown flag -x", "an argument that begins with a dash is written after --"),
            (["id", "--name"], "--name needs a value", nil),
            (
                ["id", "--name", "--json"], "--name needs a value, and is followed by the flag --json",
                "a value that begins with dashes is written --name=VALUE"
            ),
            (["id", "--name=a", "--name=b"], "--name is given twice", nil),
            (["id", "--json=1"], "--json takes no value", nil),
            ([], "missing argument CLIENT", nil),
            (["id", "more"], "unexpected argument \"more\"", nil),
            (["id", "--\u{1B}[2J"], "unknown flag --\\u{1b}[2J", nil),
        ] as [([String], String, String?)])
    func malformed(arguments: [String], message: String, hint: String?) {
        #expect(throws: CommandError.usage(message, hint: hint)) { try parser.parse(arguments) }
    }
}

@Suite("What may be meant")
struct MeantTests {
    private func hint(_ line: String) async -> String {
        let outcome = await Program().run(line.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == .usage)
        return String(outcome.messages.split(separator: "\n").last ?? "")
    }

    @Test(
        "A flag that is the name of another command of the same subject suggests that one",
        arguments: [
            ("client set c --grant R=read", "client grant"), ("client set c --disable", "client disable"),
            ("client add c --rotate-secret", "client rotate-secret"), ("key list --rotate", "key rotate"),
        ])
    func command(line: String, name: String) async {
        #expect(await hint(line) == "hint: did you mean \(name)?")
    }

    @Test(
        "What other servers call the address suggests --listen",
        arguments: ["--port", "--port=1", "-p", "--host", "--bind", "--address"])
    func address(flag: String) async {
        #expect(await hint("serve \(flag) 1").hasPrefix("hint: did you mean --listen "))
    }

    @Test("An argument too many is not suggested where the flag is given")
    func surplus() async {
        #expect(await hint("token issue gateway") == "hint: did you mean --client gateway?")
        #expect(await hint("token issue --client gateway read").hasSuffix("--help shows the usage"))
    }
}

@Suite("Nearest names")
struct NearestNameTests {
    private let names = ["serve", "migrate", "client", "resource", "key", "token", "rotate-secret"]

    @Test(
        "A misspelt name finds the right one",
        arguments: [
            ("serv", "serve"), ("sevre", "serve"), ("clients", "client"), ("CLIENT", "client"),
            ("rotate", "rotate-secret"), ("rotatesecret", "rotate-secret"), ("tokne", "token"),
            ("kye", "key"), ("rsec", "rotate-secret"), ("res", "resource"),
        ])
    func finds(text: String, name: String) {
        #expect(NearestName.nearest(to: text, among: names) == name)
    }

    @Test("A beginning is nearer than a name of other letters, and a short form than nothing")
    func short() {
        #expect(NearestName.nearest(to: "key", among: ["kez", "keyring"]) == "keyring")
        #expect(NearestName.nearest(to: "--db", among: ["--data-file", "--database"]) == "--database")
        #expect(NearestName.nearest(to: "db", among: ["database", "dumb"]) == nil, "either may be meant")
    }

    @Test(
        "A word of names, or its beginning, suggests those",
        arguments: [
            ("--scopes", "--add-scopes or --remove-scopes"), ("--rem", "--remove-scopes"),
            ("--owner", "--no-owner"),
            ("--copes", nil), ("--no", nil), ("--", nil), ("--with", nil),
        ] as [(String, String?)])
    func word(text: String, names: String?) {
        let with = (1...4).map { "--with-\($0)" }
        let known = ["--add-scopes", "--remove-scopes", "--no-owner"] + with
        #expect(NearestName.holding(text, among: known) == names)
    }

    @Test("What is like nothing suggests nothing", arguments: ["", "x", "delete", "👍"])
    func findsNone(text: String) {
        #expect(NearestName.nearest(to: text, among: names) == nil)
    }
}
