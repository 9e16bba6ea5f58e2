internal import OperatingSystem

/// A file with a client's secret, which may be replaced by another at any time.
package struct SecretFile: Sendable {
    /// Where it is. A link is followed at each look, so that it may be led elsewhere.
    private let path: String

    /// No secret has as much.
    private static let maximumBytes = 4096

    /// A file at this path; it is looked at first when its secret is asked for.
    package init(_ path: String) { self.path = path }

    /// The secret that it has now, without the line's end. Waits for nobody, so that any task may ask.
    package func secret() throws(SecretFileError) -> String {
        var content: [UInt8]
        do throws(SmallFile.Refusal) {
            content = try SmallFile(regularFile: path, maximumBytes: Self.maximumBytes).content
        } catch {
            throw SecretFileError("the file \(path) \(error)")
        }
        if content.last == UInt8(ascii: "\n") { content.removeLast() }
        if content.last == UInt8(ascii: "\r") { content.removeLast() }
        guard !content.isEmpty else { throw SecretFileError("the file \(path) has no secret in it") }
        guard let secret = String(validating: content, as: UTF8.self),
            !secret.unicodeScalars.contains(where: Self.isControl)
        else {
            throw SecretFileError("the file \(path) is not one line of text in UTF-8")
        }
        guard secret.unicodeScalars.first != "\u{FEFF}" else {
            throw SecretFileError(
                "the file \(path) begins with a byte order mark: save it as UTF-8 without one")
        }
        return secret
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

/// Why a file has no secret.
package struct SecretFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Which file it is and what is wrong with it; nothing of what it holds.
    package let description: String

    init(_ description: String) { self.description = description }
}
