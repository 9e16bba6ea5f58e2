import Foundation
import OpenSSLCrypto

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

    static func load(_ name: String) throws -> VectorFile {
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return try JSONDecoder().decode(VectorFile.self, from: data)
    }
}

/// The members of a file of signature vectors that are used here.
struct VectorFile: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]

    struct Group: Decodable {
        let publicKey: Key
        let tests: [Vector]
    }

    struct Key: Decodable {
        let wx: String?
        let wy: String?
        let pk: String?
        let modulus: String?
        let publicExponent: String?
    }

    struct Vector: Decodable {
        let tcId: Int
        let comment: String
        let msg: String
        let sig: String
        let result: String
    }
}

/// An unsigned number in hexadecimal: minimal, or padded on the left to `width`.
func number(hex: String?, width: Int? = nil) -> [UInt8] {
    let minimal = Array(bytes(hex: hex ?? "").drop { $0 == 0 })
    return [UInt8](repeating: 0, count: max(0, (width ?? 0) - minimal.count)) + minimal
}
