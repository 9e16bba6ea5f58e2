/// How the embedded token store behaves; the defaults are safe.
public struct SQLiteTokenStoreConfiguration: Sendable {
    /// How much of a commit survives a loss of power.
    public enum Durability: Sendable, Hashable {
        /// A recorded token survives it.
        case full
        /// The last tokens may be forgotten by it, and then are inactive.
        case normal
    }

    /// How much of a commit survives a loss of power.
    public var durability: Durability
    /// How long a call may take.
    public var deadline: Duration
    /// How many calls may wait.
    public var maximumPending: Int
    /// The clock that expiry is judged by.
    public var now: @Sendable () -> Milliseconds
    /// A limit for the file, in pages, so that a test can make it full; nil for none.
    var maximumPages: Int64?

    /// A configuration.
    public init(
        durability: Durability = .full, deadline: Duration = .seconds(1), maximumPending: Int = 8192,
        now: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        self.durability = durability
        self.deadline = deadline
        self.maximumPending = maximumPending
        self.now = now
    }
}
