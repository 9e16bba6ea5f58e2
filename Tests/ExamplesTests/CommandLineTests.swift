import ExampleSupport
import Testing

@Suite("Command line of the examples")
struct CommandLineTests {
    @Test func `a flag's value follows it or an equals sign`() throws {
        let flags = try Flags(["--a", "1", "--b=2=3"], known: ["--a", "--b", "--c"])
        #expect(flags["--a"] == "1")
        #expect(flags["--b"] == "2=3")
        #expect(flags["--c"] == nil)
    }

    @Test(arguments: [
        (["--lisen", "x"], #"unknown argument "--lisen""#), (["x"], #"unknown argument "x""#),
        (["--a"], "--a needs a value"), (["--a="], "--a needs a value"), (["--a", ""], "--a needs a value"),
        (["--a", "1", "--a", "2"], "--a is given twice"),
    ])
    func `what is not understood is named`(arguments: [String], problem: String) {
        let error = #expect(throws: UsageError.self) { try Flags(arguments, known: ["--a"]) }
        #expect(error?.description == problem)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080, "127.0.0.1:8080"), ("[::1]:80", "::1", 80, "[::1]:80"),
        ("localhost:65535", "localhost", 65535, "localhost:65535"),
    ])
    func `an address has host and port`(text: String, host: String, port: Int, written: String) throws {
        let address = try ListenAddress(text)
        #expect(address.host == host && address.port == port)
        #expect(address.description == written)
    }

    @Test(arguments: ["", ":", "8080", ":8080", "a:", "a:0", "a:65536", "a:-1", "a:8o"])
    func `anything else is no address`(text: String) {
        #expect(throws: UsageError.self) { try ListenAddress(text) }
    }
}
