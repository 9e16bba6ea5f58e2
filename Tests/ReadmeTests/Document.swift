import Foundation
import Testing

/// A document of the project.
struct Document {
    let text: String

    /// Reads one.
    /// - Parameter path: from the root of the project.
    init(_ path: String) throws {
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The project's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The fenced blocks of a language.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var present: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```\(language)" {
                present = []
            } else if line == "```", let lines = present {
                blocks.append(lines.joined(separator: "\n"))
                present = nil
            } else {
                present?.append(line)
            }
        }
        return blocks
    }

    /// The one block of a language that holds a text.
    func block(_ language: String, with part: String) throws -> String {
        let found = blocks(language).filter { $0.contains(part) }
        try #require(found.count == 1, "\(part)")
        return found[0]
    }
}
