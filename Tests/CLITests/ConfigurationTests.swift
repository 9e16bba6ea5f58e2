import TestSupport
import Foundation
import Glibc
import Testing

@testable import AuthServer

/// The settings of these flags and variables, as `serve` would read them.
func settings(_ flags: [String] = [], environment: [String: String] = [:]) throws -> ResolvedSettings {
    let arguments = try ArgumentParser(flags: ServeCommand.command.flags, positionals: []).parse(flags)
    return try SettingSources(arguments: arguments, environment: environment).resolved()
}

func configuration(
    _ flags: String..., environment: [String: String] = [:]
) throws -> ServerConfiguration {
    try ServerConfiguration(settings(flags, environment: environment))
}

@Suite("Configuration")
struct ConfigurationTests {
    @Test("Flags win over variables, variables over the file, the file over presets")
    func precedence() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("authserver.json5")
        try Data("{ threads: 3, log_format: 'json', max_connections: 7, // JSON5\n}".utf8)
            .write(to: URL(filePath: path))
        let settings = try settings(
            ["--config", path, "--threads", "5"],
            environment: ["AUTHSERVER_THREADS": "4", "AUTHSERVER_LOG_FORMAT": "text"])
        #expect(settings[.threads] == .init(text: "5", origin: .flag))
        #expect(settings[.logFormat] == .init(text: "text", origin: .environment))
        #expect(settings[.maxConnections] == .init(text: "7", origin: .file(path)))
        #expect(settings[.requestDeadline] == .init(text: "10s", origin: .preset))
    }

    @Test(
        "A relative path in the file counts from the file's folder; a flag's and a variable's stay as they are"
    )
    func relativePaths() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("authserver.json5")
        let text =
            "{ database: 'a.db', tls_key: '../key.pem', tls_certificate: '/c.pem', master_key_file: 'm' }"
        try Data(text.utf8).write(to: URL(filePath: path))
        let settings = try settings(
            ["--config", path, "--master-key-file", "n"], environment: ["AUTHSERVER_TLS_KEY": "k"])
        #expect(settings[.database]?.text == directory.file("a.db"))
        #expect(settings[.tlsCertificate]?.text == "/c.pem")
        #expect(settings[.tlsKey]?.text == "k" && settings[.masterKeyFile]?.text == "n")
    }

    @Test("A path counts from a file's folder")
    func inFolder() {
        #expect(AbsolutePath.of("a", inFolderOf: "/etc/c") == "/etc/a")
        #expect(AbsolutePath.of("a", inFolderOf: "/c") == "/a")
        #expect(AbsolutePath.of("/a", inFolderOf: "/etc/c") == "/a")
        #expect(AbsolutePath.of("a", inFolderOf: "c").hasSuffix("/a"))
        #expect(AbsolutePath.of("a").hasPrefix("/"))
        #expect(["/etc/c", "/c", "c", "./c"].map(AbsolutePath.folder(of:)) == ["/etc", "/", ".", "."])
    }

    @Test("Every preset is a value that can be read")
    func presets() throws {
        let configuration = try configuration()
        #expect(configuration.listen.description == "127.0.0.1:8083")
        #expect(configuration.issuer(boundTo: 8083).value == "http://127.0.0.1:8083")
        #expect(configuration.stores.tokenDatabase == "authserver.db-tokens")
        #expect(configuration.stores.redis == nil && configuration.stores.synchronous == .full)
        #expect(configuration.maxConnectionsPerAddress == configuration.maxConnections)
        #expect(configuration.maxFailures == 30)
        #expect(configuration.maxClientsInMemory == 1_000_000)
    }

    @Test(
        "Each thread has its share of the clients in memory, and room for one",
        arguments: [("1000000", "1", 1_000_000), ("1000000", "3", 333_334), ("1", "8", 1)])
    func clientsOfThread(all: String, threads: String, each: Int) throws {
        let configuration = try configuration("--max-clients-in-memory=\(all)", "--threads=\(threads)")
        #expect(configuration.clientsOfThread == each)
    }

    @Test("Every setting has three spellings of its own", arguments: Setting.allCases)
    func spellings(setting: Setting) {
        #expect(setting.flag.spelling == "--\(setting.name)")
        #expect(setting.variable == "AUTHSERVER_" + setting.key.uppercased())
        #expect(setting.key.allSatisfy { $0.isLowercase || $0 == "_" })
    }

    @Test(
        "A misspelt or shortened variable is named, with the nearest that exists",
        arguments: [
            ("REDSI", "did you mean AUTHSERVER_REDIS?"), ("DB", "did you mean AUTHSERVER_DATABASE?"),
            ("DATA", "did you mean AUTHSERVER_DATABASE?"), ("CONF", "did you mean AUTHSERVER_CONFIG?"),
            ("LOG", "did you mean AUTHSERVER_LOG_FORMAT?"),
            ("XYZ", "unset it: authserver serve --help lists the variables"),
        ])
    func misspeltVariable(name: String, hint: String) {
        #expect(
            throws: CommandError(
                .configuration, "unknown environment variable AUTHSERVER_\(name)", hint: hint)
        ) { try settings(environment: ["AUTHSERVER_\(name)": "x"]) }
    }

    @Test("Variables that Kubernetes sets for a service of this name are nobody's mistake")
    func kubernetes() throws {
        let names = [
            "AUTHSERVER_SERVICE_HOST", "AUTHSERVER_SERVICE_PORT", "AUTHSERVER_SERVICE_PORT_HTTP",
            "AUTHSERVER_PORT",
            "AUTHSERVER_PORT_8083_TCP", "AUTHSERVER_PORT_8083_TCP_ADDR", "AUTHSERVER_PORT_8083_TCP_PROTO",
        ]
        _ = try settings(
            environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "tcp://10.0.0.1:8083") }))
        #expect(throws: CommandError.self) { try settings(environment: ["AUTHSERVER_PORTS": "1"]) }
    }

    @Test(
        "A misspelt or malformed file is refused and named",
        arguments: [
            ("{ lisen: 'x' }", "unknown key \"lisen\" in c.json5", "did you mean listen?"),
            ("{ 'tls-key': 'x' }", "unknown key \"tls-key\" in c.json5", "did you mean tls_key?"),
            ("{ threads: [1] }", "threads in c.json5 is no text, number or boolean", "write threads: \"…\""),
            ("{ threads: null }", "threads in c.json5 is no text, number or boolean", "write threads: \"…\""),
            (
                "[1]", "c.json5 holds no JSON5 object",
                "write for example { listen: \"127.0.0.1:8083\", threads: 2 }"
            ),
            (
                "{ threads: 1", "c.json5 holds no JSON5 object",
                "write for example { listen: \"127.0.0.1:8083\", threads: 2 }"
            ),
        ])
    func malformedFile(text: String, message: String, hint: String) {
        #expect(throws: CommandError(.configuration, message, hint: hint)) {
            try ConfigurationFile.settings(of: Array(text.utf8), path: "c.json5")
        }
    }

    @Test(
        "A file that is no UTF-8 is an error that says where, and no crash of its parser",
        arguments: [
            ([0x0A, 0x7B, 0xEF, 0x0A, 0x01, 0x61, 0x73] + [UInt8](repeating: 0xFF, count: 15), 2),
            (Array("{ threads: 1,\n\n // \u{E9}\nlisten: \"".utf8) + [0xC3, 0x28] + Array("\" }".utf8), 4),
            ([0xFF, 0xFE, 0x7B, 0x00], 1),
        ] as [([UInt8], Int)])
    func notUTF8(bytes: [UInt8], line: Int) {
        #expect(
            throws: CommandError(
                .configuration, "c.json5 is no UTF-8: look at line \(line)", hint: "write the file in UTF-8")
        ) { try ConfigurationFile.settings(of: bytes, path: "c.json5") }
    }

    @Test(
        "What is no number is an error that names the setting",
        arguments: [
            ("{ threads: 0x0x2 }", false), ("{ threads: 0x }", false), ("{ threads: 02 }", false),
            ("{ threads: +-2 }", false), ("{ threads: . }", false), ("{ threads: - }", false),
            ("{ threads: 2x }", false), ("{ threads: 2e }", false), ("{ threads: two }", false),
            ("{ threads: +2 }", true), ("{ threads: 0x2 }", true), ("{ threads: 2. }", true),
            ("{ threads: 2.00 }", true), ("{ threads: 2e0 }", true), ("{ threads: 0.2E+1 }", true),
            ("{ threads: 200e-2 }", true), ("{ threads: .00002e5 }", true),
            ("{ threads: 2, /* 0x0x2 **/ database: 'it\\'s 0x0x2.db' // 0x0x2\n }", true),
            ("{ \"database\": \"0x0x2\", threads: '2' }", true),
        ])
    func numbers(text: String, isGood: Bool) throws {
        let read = Result { try ConfigurationFile.settings(of: Array(text.utf8), path: "c.json5") }
        guard isGood else {
            let error = #expect(throws: CommandError.self) { try read.get() }
            #expect(error?.message == "threads in c.json5 is no text, number or boolean")
            return
        }
        #expect(try read.get()[.threads] == "2")
    }

    @Test(
        "A number that is not whole, or too large, is left to the setting to refuse",
        arguments: [
            "2.5", ".5", "1e-1", "1e999", "-Infinity", "NaN", "99999999999999999999", "0xFFFFFFFFFFFFFFFF",
        ])
    func otherNumbers(number: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("c.json5")
        try Data("{ threads: \(number) }".utf8).write(to: URL(filePath: path))
        #expect(
            throws: CommandError(
                .configuration, "threads in \(path): \"\(number)\" is not possible",
                hint: "write a number from 1 to 256")
        ) { try configuration("--config", path) }
    }

    @Test(
        "A name that is there twice is refused: nobody knows which was meant",
        arguments: ["{ threads: 2, threads: 1 }", "{ threads: 2, 'threads': 2, }"])
    func twice(text: String) {
        #expect(
            throws: CommandError(
                .configuration, "threads is in c.json5 twice", hint: "remove one of the two")
        ) { try ConfigurationFile.settings(of: Array(text.utf8), path: "c.json5") }
    }

    @Test(
        "Strings are read as JSON5 has them",
        arguments: [
            ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"), ("'a\\\u{2028}b'", "ab"),
            ("'it\\'s \"it\"'", "it's \"it\""),
            ("\"it's\\\\\"", "it's\\"), (#"'\x41\u00e9\ud83d\ude00\q'"#, "Aé😀q"),
            (#"'\b\f\n\r\t\v'"#, "\u{8}\u{C}\n\r\t\u{B}"), ("'/* // */'", "/* // */"),
            ("/* '*/ 'a' // }", "a"), ("true", "true"), ("''", ""),
        ])
    func strings(written: String, text: String) throws {
        let file = "{\n database: \(written)\n}\n// the end"
        #expect(try ConfigurationFile.settings(of: Array(file.utf8), path: "c")[.database] == text)
    }

    @Test(
        "A text with U+0000 is refused: a file's name would end there", arguments: [#"'a\0b'"#, #"'\u0000'"#])
    func zero(written: String) {
        let file = Array("{ database: \(written) }".utf8)
        let error = #expect(throws: CommandError.self) {
            try ConfigurationFile.settings(of: file, path: "c")
        }
        #expect(error?.message == "database in c holds the character U+0000")
    }

    @Test(
        "A number that no whole number is exactly is left as it is written, for the setting to refuse",
        arguments: [
            "1e-400", "4503599627370497.5", "1e99", "3.0000000000000000000000001e0", "1e9223372036854775807",
            "1e-9223372036854775808", "0.1e99999999999999999999",
        ])
    func inexact(written: String) throws {
        let file = Array("{ threads: \(written) }".utf8)
        #expect(try ConfigurationFile.settings(of: file, path: "c")[.threads] == written)
    }

    @Test(
        "What is no JSON5 is refused",
        arguments: [
            "", "{", "}", "{,}", "{ threads }", "{ threads: }", "{ threads: 1,, }", "{ threads: 1 } x",
            "{} {}",
            "{ threads: 1 listen: 'a' }", "{ 'threads: 1 }", "{ database: 'a\nb' }", "{ database: 'a\\",
            #"{ database: '\1' }"#, #"{ database: '\01' }"#, #"{ database: '\x4' }"#,
            #"{ database: '\u12' }"#,
            #"{ database: '\ud83d' }"#, #"{ database: '\ud83d\u0041' }"#, "{ /* threads: 1 }", "/",
            "{ 1: 1 }",
            "[1]", "1", "'a'",
        ])
    func noObject(text: String) {
        let error = #expect(throws: CommandError.self) {
            try ConfigurationFile.settings(of: Array(text.utf8), path: "c")
        }
        #expect(error?.message.hasPrefix("c holds no JSON5 object") == true, "\(error?.message ?? "")")
    }

    @Test(
        "White space, comments, a byte order mark, quoted names and a comma at the end are taken",
        arguments: [
            "\u{FEFF}{threads:2}", "// a\r{\u{A0}'threads'\t:/**/2\u{2028},}\n// b",
            "{\"threads\":2}\u{B}\u{C}",
            "/***/{ threads: 2 /* } */ }",
        ])
    func lenient(text: String) throws {
        #expect(try ConfigurationFile.settings(of: Array(text.utf8), path: "c") == [.threads: "2"])
    }

    @Test(
        "A mistake in a file of several lines is pointed at",
        arguments: [
            ("{\n  threads: 1\n  listen: 'a',\n}", 3),
            ("{\n  threads: 1,\n  listen 'a',\n  issuer: 'b'\n}", 3),
            ("{\n  listen: 'a,\n  threads: 1\n}", 2), ("{\n  threads: 1,\n  max_failures: 1", 3),
            ("{ threads: 1", nil), ("[\n1\n]", nil),
        ] as [(String, Int?)])
    func line(text: String, line: Int?) {
        let error = #expect(throws: CommandError.self) {
            try ConfigurationFile.settings(of: Array(text.utf8), path: "c")
        }
        let place = line.map { ": look at line \($0) and at the end of the one before" }
        #expect(error?.message == "c holds no JSON5 object" + (place ?? ""))
    }

    @Test("A file that is not there is an error that names it")
    func missingFile() {
        #expect(
            throws: CommandError(
                .configuration,
                "the configuration file /nowhere.json5 cannot be read: No such file or directory",
                hint: "check --config and AUTHSERVER_CONFIG, and that the file is there and readable")
        ) { try settings(["--config", "/nowhere.json5"]) }
    }

    @Test(
        "Whoever may not read a file is told to be another user, and not to open the file to all",
        .enabled(if: geteuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0))
    func forbiddenFile() async throws {
        let asNobodySpecial = geteuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all" : ""
        let outcome = try await ShellSession().run(
            "echo '{}' >a.json5; chmod 0 a.json5; \(asNobodySpecial) authserver client list --config a.json5")
        #expect(
            outcome.messages == [
                "authserver: the configuration file a.json5 cannot be read: Permission denied",
                "hint: run the command as the server's user, who may read it: sudo -u authserver authserver …",
            ], "\(outcome)")
    }

    @Test(
        "What is no small file is refused before it is read to its end",
        arguments: [
            ("/dev/zero", "has more than 1 MiB: it is another file"), ("/", "is a folder"),
        ])
    func noSmallFile(path: String, what: String) {
        let error = #expect(throws: CommandError.self) { try settings(["--config", path]) }
        #expect(error?.message == "the configuration file \(path) \(what)")
    }

    @Test(
        "A value that is not possible names its setting",
        arguments: [
            ("--threads=0", "--threads: \"0\" is not possible"),
            ("--threads=many", "--threads: \"many\" is not possible"),
            ("--max-failures=-1", "--max-failures: \"-1\" is not possible"),
            ("--max-failures=1001", "--max-failures: \"1001\" is not possible"),
            ("--max-clients-in-memory=0", "--max-clients-in-memory: \"0\" is not possible"),
            ("--jwks-max-age=1y", "--jwks-max-age: \"1y\" is not possible"),
            ("--request-deadline=0", "--request-deadline: \"0\" is not possible"),
            ("--log-format=xml", "--log-format: \"xml\" is not possible"),
            ("--sqlite-synchronous=off", "--sqlite-synchronous: \"off\" is not possible"),
            ("--listen=8083", "--listen: \"8083\" is not possible"),
            ("--metrics-listen=9464", "--metrics-listen: \"9464\" is not possible"),
            (
                "--metrics-listen=127.0.0.1:8083",
                "--metrics-listen: 127.0.0.1:8083 is where tokens are issued"
            ),
            ("--database=", "--database: \"\" is not possible"),
            ("--redis=", "--redis: the value is empty"),
            ("--tls-key=k.pem", "--tls-key: a key needs its certificate"),
            ("--tls-certificate=c.pem", "--tls-certificate: a certificate needs its key"),
        ])
    func impossible(flag: String, message: String) {
        let error = #expect(throws: CommandError.self) { try configuration(flag) }
        #expect(error?.message == message && error?.exitCode == .usage)
    }

    @Test("An error about a variable names the variable")
    func impossibleVariable() {
        let error = #expect(throws: CommandError.self) {
            try configuration(environment: ["AUTHSERVER_ALLOW_HTTP_ISSUER": "maybe"])
        }
        #expect(error?.message == "AUTHSERVER_ALLOW_HTTP_ISSUER: \"maybe\" is not possible")
    }
}

@Suite("Printed configuration")
struct PrintedConfigurationTests {
    @Test("Each setting is shown with its value and origin, and no password")
    func print() async {
        let environment = ["AUTHSERVER_REDIS": "redis://me:s3cret@127.0.0.1:6379/2"]
        let outcome = await Program(environment: environment).run("serve", "--print-config", "--threads", "3")
        #expect(outcome.exitCode == .ok)
        #expect(outcome.output.contains("threads\t3\tflag --threads\n"))
        #expect(
            outcome.output.contains("redis\tredis://me:***@127.0.0.1:6379/2\tenvironment AUTHSERVER_REDIS\n"))
        #expect(outcome.output.contains("jwks_max_age\t5m\tdefault\n"))
        #expect(!outcome.output.contains("s3cret"))
        #expect(outcome.output.split(separator: "\n").count == Setting.allCases.count)
    }

    @Test("Programs get numbers, booleans and null, durations in seconds")
    func types() async throws {
        let outcome = await Program().run("serve", "--print-config", "--json", "--threads", "3")
        for member in [
            "\"threads\":{\"value\":3,", "\"jwks_max_age\":{\"value\":300,", "\"redis\":{\"value\":null,",
            "\"trust_forwarded_for\":{\"value\":false,", "\"issuer\":{\"value\":\"http://127.0.0.1:8083\",",
            "\"database\":{\"value\":\"/",
        ] { #expect(outcome.output.contains(member), "\(outcome.output)") }
    }

    @Test(
        "A password in a URL is hidden wherever it stands",
        arguments: [
            ("redis://h:1/2", "redis://h:1/2"), ("redis://u:p@h", "redis://u:***@h"),
            ("redis://:p@h", "redis://:***@h"), ("redis://u:p@ss@h", "redis://u:***@h"),
            ("redis://p@h", "redis://***@h"), ("unix:///s?db=1&password=p", "unix:///s?db=1&password=***"),
            ("redis://u:a?b@h", "redis://***"), ("not a url p", "***"),
            ("unix:///s?password=long:p@q", "unix://***"),
            ("unix:///s?db=1&PASSWORD=p", "unix:///s?db=1&PASSWORD=***"),
            ("unix://u:p@/s?db=1", "unix://u:***@/s?db=1"), ("redis://u:p", "redis://***"),
            ("redis://u:p/1", "redis://***"), ("redis://[::1]:6379/1", "redis://[::1]:6379/1"),
        ])
    func redacts(url: String, shown: String) {
        #expect(RedisURL(url).description == shown)
    }
}
