/// Why a server could not start.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// The kinds that callers tell apart.
    public enum Code: Sendable { case addressInUse, badAddress, system }

    /// The kind.
    public let code: Code
    /// What failed and what to do, for a person.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
