public import OAuth
internal import OpenSSLCrypto
internal import SQLite

/// The registry as one event loop reads it: a connection of its own, prepared statements, and what was read kept
/// until another process changes the file, so that a change made by the CLI is in force at the next request.
///
/// It never waits for a lock. While the file is locked, gone or damaged it serves what it knows. Confined to one
/// thread: share it as `LoopBound`.
public final class RegistryReader {
    private let source: RegistrySource
    private let masterKey: MasterKey?
    private var clients: BoundedCache<ClientID, Kept<RegisteredClient>>
    private var sharedGrants = SharedGrants()
    private var ring: Kept<KeyRing>
    private var cost: Kept<FailureCost>
    private var ended: Kept<[ClientRevocation]>

    /// Something that was read, and the state of the file when it was read, or could not be.
    private struct Kept<Value: Sendable>: Sendable {
        var value: Value
        var state: RegistrySource.State
        var isCurrent = true

        /// Whether it need not be read again: it is of this generation, or reading it failed within this second.
        func isGood(in state: RegistrySource.State) -> Bool {
            self.state.generation == state.generation && (isCurrent || self.state.second == state.second)
        }
    }

    /// Very many clients take longer to free than an event loop may be away.
    deinit {
        let clients = clients
        if clients.count > 10_000 { Task.detached(priority: .utility) { withExtendedLifetime(clients) {} } }
    }

    /// Opens a registry that has all its migrations, and reads its keys.
    /// - Parameters:
    ///   - path: the database file.
    ///   - masterKey: what signing keys are encrypted with at rest; nil for plain.
    ///   - capacity: how many clients it keeps at most.
    ///   - lookInterval: microseconds between two looks for changes of the file; 0 looks at every call.
    ///   - clock: the time, in milliseconds since 1970, for `asOf`.
    ///   - report: is called on the reader's thread, once when trouble begins and once when it ends.
    /// - Throws: `io`, `notMigrated`, `incompatible`, or `masterKey` when a key cannot be decrypted.
    public init(
        path: String, masterKey: MasterKey? = nil, capacity: Int = 10_000, lookInterval: Int64 = 0,
        clock: @escaping () -> Milliseconds = WallClock.now,
        report: @escaping (RegistryTrouble) -> Void
    ) throws(StoreError) {
        source = try RegistrySource(path: path, lookInterval: lookInterval, clock: clock, report: report)
        self.masterKey = masterKey
        clients = BoundedCache(capacity: capacity)
        let (ring, cost, ended) = try source.read { file throws(StoreError) in
            (try file.keyRing(masterKey: masterKey), try file.failureCost(), try file.clientRevocations())
        }
        self.ring = Kept(value: ring, state: source.state)
        self.cost = Kept(value: cost, state: source.state)
        self.ended = Kept(value: ended, state: source.state)
    }

    /// The moment up to which all changes are known. What is decided now rests on it: a token that is issued counts
    /// as issued then, so that a revocation which was not seen yet ends it too.
    public var asOf: Milliseconds { source.asOf }

    /// The client of this id; nil when there is none.
    /// - Throws: when the file cannot be read and the client is not known from earlier, or what it says of the client
    ///   is damaged: answer 503, not 401.
    public func client(_ id: ClientID) throws(StoreError) -> RegisteredClient? {
        let state = look()
        let kept = clients[id]
        if let kept, kept.isGood(in: state) { return kept.value }
        do {
            let client = try read(id)
            source.noteRead(client: id)
            clients[id] = client.map { Kept(value: $0, state: state) }
            return client
        } catch {
            source.note(error, client: id)
            // The file can be read, and what it says of this client cannot: what was known of it may be over.
            if error.code == .corrupt { clients[id] = nil }
            guard let kept, error.code != .corrupt else { throw error }
            clients[id] = Kept(value: kept.value, state: state, isCurrent: false)
            return kept.value
        }
    }

    private func read(_ id: ClientID) throws(StoreError) -> RegisteredClient? {
        try source.read { file throws(StoreError) in
            try file.registeredClient(id, sharing: &sharedGrants)
        }
    }

    /// Does what `client(_:)` does for an unknown client, whose absence is not kept. To be called when a client that
    /// is known fails, so that the two take the same time.
    public func lookUpNobody() {
        _ = clients[Self.nobody]
        _ = try? read(Self.nobody)
        clients[Self.nobody] = nil
    }

    /// Does what `lookUpNobody()` costs beside the reading that an unknown client costs as well: a look into what is kept.
    /// To be called when an unknown client fails.
    public func lookForNobody() { _ = clients[Self.nobody] }

    /// An id that no registry has: 128 bits of chance.
    private static let nobody: ClientID = {
        let name = SecureRandom.bytes(16).map { String($0, radix: 16) }.joined()
        guard let id = try? ClientID(name) else { preconditionFailure("\(name) is a client id") }
        return id
    }()

    /// Whether there is such a resource, for the log: false where the file cannot be read.
    public func knows(_ resource: ResourceID) -> Bool {
        knows("SELECT EXISTS (SELECT 1 FROM resources WHERE resource_id = ?)", resource.value)
    }

    /// Whether some resource has such a scope, for the log: false where the file cannot be read.
    public func knows(_ scope: Scope) -> Bool {
        knows("SELECT EXISTS (SELECT 1 FROM resource_scopes WHERE scope = ?)", scope.value)
    }

    private func knows(_ question: String, _ name: String) -> Bool {
        let found = try? source.read { file throws(StoreError) in try file.integer(question, [.text(name)]) }
        return found.flatMap { $0 } == 1
    }

    /// The resources whose tokens a client may introspect.
    /// - Throws: as `client(_:)`.
    public func resources(ownedBy id: ClientID) throws(StoreError) -> [ResourceID] {
        try client(id)?.ownedResources ?? []
    }

    /// Reads again what an earlier reader of the file could not, so that nobody says that all of it can be read.
    /// - Returns: whether all of it can be.
    public func follow(_ earlier: RegistryReader) -> Bool {
        if let client = earlier.source.unreadableClient { _ = try? self.client(client) }
        return source.trouble == nil && source.keyTrouble == nil
    }

    /// The signing keys.
    /// - Parameter lookingForChanges: false for a request that looked already, by `client(_:)`: a look costs two
    ///   system calls, some 1.5 µs.
    public func keyRing(lookingForChanges: Bool = true) -> KeyRing {
        if lookingForChanges { _ = look() }
        return refreshRing()
    }

    /// What a failed authentication must cost, as of the last look: ask after `client(_:)`.
    public func failureCost() -> FailureCost {
        refresh(&cost, .failureCost) { connection throws(StoreError) in try connection.failureCost() }
    }

    /// The clients whose earlier tokens have ended, for a token store to be told; some may be over.
    public func revocations() -> [ClientRevocation] {
        _ = look()
        return refreshEnded()
    }

    /// Whether the file can be read now, for a readiness check. A single client that cannot be read is no reason to
    /// send all others away. Signing keys that cannot be decrypted are another
    /// matter: `signingKeyTrouble`.
    /// - Throws: what is wrong.
    public func ping() throws(StoreError) {
        _ = keyRing()
        if let trouble = source.troubleForAll { throw trouble }
    }

    /// Why a signing key cannot be read at present, as of the last look. Those that are known from earlier are in use
    /// until they are retired.
    public var signingKeyTrouble: StoreError? { source.keyTrouble }

    // MARK: - Looking

    /// Looks for changes; once a second, or when the file changed, also at what could not be read.
    private func look() -> RegistrySource.State {
        let before = source.state
        let state = source.refresh()
        if source.hasUnreadablePart && state != before { readAgain() }
        return state
    }

    private func readAgain() {
        if let client = source.unreadableClient {
            do {
                _ = try read(client)
                source.noteRead(client: client)
            } catch { source.note(error, client: client) }
        }
        _ = refreshRing()
        _ = failureCost()
        _ = refreshEnded()
    }

    private func refreshRing() -> KeyRing {
        guard !ring.isGood(in: source.state) else { return ring.value }
        let known = ring.value
        ring.state = source.state
        do {
            let read = try source.read { connection throws(StoreError) in
                try connection.keyRing(masterKey: masterKey, known: known)
            }
            ring.value = read.ring
            ring.isCurrent = read.trouble == nil
            if let trouble = read.trouble { source.note(trouble, in: .keys) } else { source.noteRead(.keys) }
        } catch {
            ring.isCurrent = false
            source.note(error, in: .keys)
        }
        return ring.value
    }

    private func refreshEnded() -> [ClientRevocation] {
        refresh(&ended, .revocations) { connection throws(StoreError) in
            try connection.clientRevocations()
        }
    }

    private func refresh<Value: Sendable>(
        _ kept: inout Kept<Value>, _ part: RegistrySource.Part,
        _ read: (Connection) throws(StoreError) -> Value
    ) -> Value {
        let state = source.state
        if kept.isGood(in: state) { return kept.value }
        kept.state = state
        do {
            kept.value = try source.read(read)
            kept.isCurrent = true
            source.noteRead(part)
        } catch {
            kept.isCurrent = false
            source.note(error, in: part)
        }
        return kept.value
    }
}
