/// Why a loop could not be made.
public struct EventLoopError: Error, Sendable, CustomStringConvertible {
    /// What failed, for a person.
    public let description: String
}
