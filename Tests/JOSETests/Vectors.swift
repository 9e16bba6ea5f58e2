import Foundation
import JOSE

/// The Wycheproof test vectors: in the folder that AUTH_TEST_VECTORS names, else in `shared/vectors` beside the
/// package. Tests that need them are skipped where they are not.
enum Vectors {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["AUTH_TEST_VECTORS"] {
            return URL(fileURLWithPath: path)
        }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.appendingPathComponent("../shared/vectors")
    }()

    static let arePresent = FileManager.default.fileExists(atPath: folder.path)

    /// What a skipped test says.
    static let hint = "the Wycheproof vectors are not here: name their folder in AUTH_TEST_VECTORS"

    /// The groups of a file, each with its key or keys and its tests.
    static func load(_ name: String) throws -> [Group] {
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        let file = try JSON.parse([UInt8](data)).object
        return (file?["testGroups"]?.array ?? []).compactMap { Group($0.object ?? JSONObject()) }
    }

    struct Group {
        let comment: String
        /// The public key or set, or for symmetric algorithms the only one that there is.
        let key: JSONValue
        let tests: [Vector]

        init?(_ object: JSONObject) {
            guard let comment = object["comment"]?.string, let key = object["public"] ?? object["private"],
                let tests = object["tests"]?.array
            else { return nil }
            self.comment = comment
            self.key = key
            self.tests = tests.compactMap { Vector($0.object ?? JSONObject()) }
        }
    }

    struct Vector {
        let id: Int64
        let comment: String
        let jws: [UInt8]
        let isValid: Bool

        init?(_ object: JSONObject) {
            guard case .integer(let id) = object["tcId"], let comment = object["comment"]?.string,
                let jws = object["jws"]?.string, let result = object["result"]?.string
            else { return nil }
            self.id = id
            self.comment = comment
            self.jws = Array(jws.utf8)
            isValid = result == "valid"
        }
    }
}
