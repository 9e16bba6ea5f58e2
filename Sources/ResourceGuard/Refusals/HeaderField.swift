/// A header field of a refusal, as the service has to send it.
public struct HeaderField: Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The field's value: visible ASCII and spaces.
    public let value: String
}
