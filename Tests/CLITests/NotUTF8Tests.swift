import TestSupport
import Testing

/// What the system lets names be, and Swift's texts are not: taken as another name, it would be another file.
@Suite("Names that are no UTF-8")
struct NotUTF8Tests {
    @Test(
        "are refused, and no other file is made",
        arguments: [
            (#"authserver migrate --database "$(printf 'caf\351.db')""#, #""caf�.db" is no UTF-8"#),
            (
                #"AUTHSERVER_DATABASE="$(printf 'caf\351.db')" authserver migrate"#,
                "the environment variable AUTHSERVER_DATABASE is no UTF-8"
            ),
            (
                #"env "$(printf 'AUTHSERVER_TLS_\342\204\252EY')=k" authserver migrate"#,
                "the environment variable AUTHSERVER_TLS_\u{212A}EY is no UTF-8, or has no name of a setting"
            ),
        ])
    func refused(command: String, message: String) async throws {
        let outcome = try await ShellSession().run(
            "mkdir empty && cd empty\n\(command)\necho \"exit $?\" && ls -A")
        #expect(outcome.output == ["exit 2"], "\(outcome)")
        #expect(outcome.messages.first?.contains(message) == true, "\(outcome)")
        #expect(outcome.messages.last == "hint: give names of files, and all else, in UTF-8")
    }

    @Test("of other variables and of the current folder hinder nothing")
    func others() async throws {
        let outcome = try await ShellSession().run(
            #"""
            folder=$(printf 'dir\351') && mkdir "$folder" && cd "$folder"
            echo "{ database: 'x.db' }" >c.json5
            OTHER=$(printf '\351') authserver migrate --config c.json5 --json
            ls -A
            """#)
        #expect(outcome.output.suffix(2) == ["c.json5", "x.db"], "\(outcome)")
    }
}

@Suite("A configuration that is in no folder")
struct ConfigurationOfNoFolderTests {
    @Test(
        "leaves paths to count from the current folder",
        arguments: [
            "authserver migrate --config /dev/stdin <c.json5",
            "cat c.json5 | authserver migrate --config /dev/stdin",
            "authserver migrate --config <(cat c.json5)", "authserver migrate --config c.json5",
        ])
    func relative(command: String) async throws {
        let outcome = try await ShellSession().run(
            """
            echo "{ database: 'x.db' }" >c.json5
            bash -c '\(command)'
            echo "exit $?" && ls -A
            """)
        #expect(outcome.output.contains("exit 0"), "\(outcome)")
        #expect(outcome.output.suffix(2) == ["c.json5", "x.db"], "\(outcome)")
    }

    @Test("A current folder that was removed is said")
    func removedFolder() async throws {
        let outcome = try await ShellSession().run(
            "mkdir gone && cd gone && rmdir ../gone\nauthserver migrate --database x.db\necho \"exit $?\"")
        #expect(outcome.output == ["exit 1"], "\(outcome)")
        #expect(
            outcome.messages.first?.hasSuffix("cannot be made: the current folder was removed") == true,
            "\(outcome)")
    }

    @Test("A message that names a long path still ends in the reason")
    func longPath() async throws {
        let outcome = try await ShellSession().run(
            "authserver migrate --config $(printf '%02000d' 0)\necho \"exit $?\"")
        #expect(outcome.output == ["exit 2"], "\(outcome)")
        #expect(
            outcome.messages.first?.hasSuffix("0 cannot be read: File name too long") == true, "\(outcome)")
    }
}
