import Foundation
import Testing

/// The threat model names the test that shows each thing; a name that nothing has would show nothing.
@Suite("Threat model")
struct ThreatModelTests {
    @Test("Every test that it names is there")
    func namedTestsExist() throws {
        let names = try Self.text("docs/threat-model.md").matches(
            of: /`([A-Z][A-Za-z]*(?:Tests|Cases))\/([^`]+)`/
        )
        .map { (file: String($0.1), function: String($0.2)) }
        try #require(names.count >= 100)
        let sources = try Self.sources()
        for (file, function) in names {
            let texts = sources.filter { $0.file == file || $0.file.hasPrefix("\(file)+") }.map(\.text)
            #expect(
                texts.contains { Self.has(function, in: $0, isCase: file.hasSuffix("Cases")) },
                "\(file)/\(function)")
        }
    }

    @Test("A name that is not there is noticed")
    func noticesMissing() throws {
        let text = "    @Test func there() {}\n    func `two words`() {}\n ServerCase(\"T12 B9 a query\")"
        #expect(Self.has("there", in: text, isCase: false))
        #expect(Self.has("two words", in: text, isCase: false))
        #expect(Self.has("T12", in: text, isCase: true) && Self.has("B9", in: text, isCase: true))
        #expect(!Self.has("ther", in: text, isCase: false) && !Self.has("T1", in: text, isCase: true))
    }

    @Test("The documents link to files that are there")
    func linksResolve() throws {
        for document in [
            "SECURITY.md", "docs/threat-model.md", "docs/protocol.md", "docs/operations.md",
            "docs/testing.md", "docs/embedding.md", "docs/registry.md", "docs/performance.md",
        ] {
            let folder = Self.root.appending(path: document).deletingLastPathComponent()
            for link in try Self.text(document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let path = folder.appending(path: String(link.1)).path(percentEncoded: false)
                #expect(FileManager.default.fileExists(atPath: path), "\(link.1) in \(document)")
            }
        }
    }

    /// A function by its name, or a case by its number.
    private static func has(_ name: String, in text: String, isCase: Bool) -> Bool {
        if isCase {
            return text.split(whereSeparator: \.isNewline).contains { line in
                line.contains("\"") && (" " + line.replacing(/[":]/, with: " ") + " ").contains(" \(name) ")
            }
        }
        return text.contains("func \(name)(") || text.contains("func `\(name)`(")
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The sources of the tests, by the name of the file without its extension.
    private static func sources() throws -> [(file: String, text: String)] {
        let folder = root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { file in
            (file.deletingPathExtension().lastPathComponent, try String(contentsOf: file, encoding: .utf8))
        }
    }
}
