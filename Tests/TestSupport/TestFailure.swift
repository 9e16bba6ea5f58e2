/// Why something that a test needs is not there, and what to do about it.
public struct TestFailure: Error, CustomStringConvertible {
    /// What is wrong, for a person.
    public let description: String

    /// A failure with its text.
    public init(_ description: String) {
        self.description = description
    }
}
