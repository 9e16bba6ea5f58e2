/// Why a text is not a word of the vocabulary; `description` is fit for a person and names the fix.
public struct VocabularyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what would be right. Holds no secret.
    public let description: String

    /// An error with a message for a person.
    public init(_ description: String) {
        self.description = description
    }
}
