/// A parameter of a request that is not as it must be.
public struct BadParameter: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right, for the caller.
    public let description: String
}

/// Which part of a list a request asks for: `page`, counted from 0, and `size`.
public struct Page: Sendable, Hashable {
    /// The most that one page holds, and what it holds where no size is named.
    public static let maximumSize: Int64 = 100

    /// The page, from 0.
    public let number: Int64
    /// How many there are on a page.
    public let size: Int64

    /// How many come before the page.
    public var offset: Int64 { number * size }

    /// The first page.
    public init() {
        number = 0
        size = Self.maximumSize
    }

    /// Reads a query such as `page=1&size=5`; other parameters are ignored.
    public init(query: String?) throws(BadParameter) {
        number = try Self.integer("page", in: query, 0...1_000_000) ?? 0
        size = try Self.integer("size", in: query, 1...Self.maximumSize) ?? Self.maximumSize
    }

    private static func integer(
        _ name: String, in query: String?, _ range: ClosedRange<Int64>
    ) throws(BadParameter) -> Int64? {
        let items = (query ?? "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        let values = items.filter { $0[0] == name }.map { $0.count == 2 ? String($0[1]) : "" }
        guard let text = values.first else { return nil }
        guard values.count == 1 else { throw BadParameter(description: "\(name) is given twice") }
        guard let value = decimal(text), range.contains(value) else {
            throw BadParameter(
                description: "\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

/// The id in a path: a number from 1.
public func identifier(_ text: Substring) throws(BadParameter) -> Int64 {
    guard let id = decimal(String(text)), id > 0 else {
        throw BadParameter(description: "an id must be a number from 1")
    }
    return id
}

/// Digits alone: no sign, no space.
private func decimal(_ text: String) -> Int64? {
    text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int64(text) : nil
}
