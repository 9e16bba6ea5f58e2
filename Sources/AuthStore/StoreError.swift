public import SQLite

/// Why the registry could not do what was asked: a code for programs, a message for a person that names the fix.
/// Holds no secret, no token and no key.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The few kinds that callers tell apart.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no such client, resource, secret or key.
        case notFound
        /// There is one of that name already.
        case alreadyExists
        /// A value is not allowed, or the change would leave the registry in a state that is not.
        case invalid
        /// The database has not all migrations that this version needs, or is no database of this product.
        case notMigrated
        /// The database was migrated by a newer version, or a migration was edited.
        case incompatible
        /// A signing key is encrypted and the master key is missing or another one.
        case masterKey
        /// Another process holds the database.
        case busy
        /// The file or its folder cannot be written.
        case readOnly
        /// The file is damaged or holds what this product never writes.
        case corrupt
        /// The file cannot be opened, read or written.
        case io
    }

    /// The kind.
    public let code: Code
    /// What is wrong and what to do.
    public let message: String
    /// What SQLite said, where it was SQLite that refused: all of it stands in the message too.
    public let cause: Cause?

    /// The words of SQLite, without the statement.
    public struct Cause: Sendable, Hashable {
        /// SQLite's message.
        public let text: String
        /// SQLite's extended result code (https://sqlite.org/rescode.html).
        public let code: Int32
        /// What a person can do about it.
        public let advice: String?
        /// Whether the file is most likely another user's.
        public let isDenial: Bool
    }

    /// An error with a message for a person.
    public init(_ code: Code, _ message: String) {
        self.init(code, message, cause: nil)
    }

    init(_ code: Code, _ message: String, cause: Cause?) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// What SQLite refused, in the terms of this store.
    public init(_ error: SQLiteError) {
        let code: Code =
            switch error.kind {
            case .busy: .busy
            case .readOnly: .readOnly
            case .corrupt: .corrupt
            case .full, .io, .cannotOpen, .noDescriptors: .io
            case .constraint: error.isUniqueViolation ? .alreadyExists : .invalid
            case .other: .io
            }
        let cause = Cause(
            text: error.message, code: error.code, advice: error.advice,
            isDenial: error.kind == .readOnly || error.kind == .cannotOpen)
        self.init(code, error.description, cause: cause)
    }

    /// The message.
    public var description: String { message }
}
