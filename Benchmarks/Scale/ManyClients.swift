import AuthStore
import Foundation

/// Registries with many clients: how long it takes to fill one, and to find a client in it.
enum ManyClients {
    private static let batch = 10_000
    private static let resources = 10

    /// Fills a registry in transactions of 10,000 clients, each with a secret, two scopes at one resource and the
    /// default lifetime.
    /// - Parameter credentials: where the ids and secrets of up to 100,000 of them go, as `id:secret` a line.
    static func fill(_ path: String, count: Int, credentials: String) throws {
        let (processor, wall) = (now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC))
        let registry = try Registry(path: path, mode: .create)
        let moment = WallClock.now()
        try registry.migrate(at: moment)
        for number in 0..<resources {
            try registry.addResource(try resource(number), scopes: ["read", "write"], at: moment)
        }
        var shown: [String] = []
        let every = max(1, count / 100_000)
        for start in stride(from: 0, to: count, by: batch) {
            try registry.transaction { () throws(StoreError) in
                for number in start..<min(count, start + batch) {
                    let secret = try add(number, to: registry, at: moment)
                    if number % every == 0 { shown.append("\(name(number)):\(secret)") }
                }
            }
        }
        print(
            """
            {"name": "import", "count": \(count), "cpu_ns": \(now(CLOCK_PROCESS_CPUTIME_ID) - processor), \
            "wall_ns": \(now(CLOCK_MONOTONIC) - wall)}
            """)
        try shown.joined(separator: "\n").write(toFile: credentials, atomically: false, encoding: .utf8)
    }

    private static func add(
        _ number: Int, to registry: Registry, at moment: Milliseconds
    ) throws(StoreError) -> String {
        let (id, place) = (try id(number), try resource(number))
        let secret = GeneratedSecret.make()
        try registry.addClient(ClientDraft(id: id), at: moment)
        try registry.grant(["read", "write"], at: place, to: id, at: moment)
        try registry.addSecret(SecretVerifier(secret), to: id, from: moment, at: moment)
        return secret.reveal()
    }

    private static func name(_ number: Int) -> String { "client-\(number)" }

    private static func id(_ number: Int) throws(StoreError) -> ClientID {
        do { return try ClientID(name(number)) } catch { throw StoreError(.invalid, "\(error)") }
    }

    private static func resource(_ number: Int) throws(StoreError) -> ResourceID {
        do { return try ResourceID("RESOURCE_ID_\(number % resources)") } catch {
            throw StoreError(.invalid, "\(error)")
        }
    }

    /// Finds clients of several registries in turns, as a server's thread does: such as it does not know yet, which it
    /// reads from the file, be they the same hundred (`lookup`) or any (`lookup of any`), and such as it was asked for
    /// before (`known`).
    static func find(in registries: [(path: String, count: Int)], milliseconds: Int) async throws {
        var turns = Turns()
        for (path, count) in registries {
            var ids = try (0..<count).map(id)
            // Room for one, so that each is read.
            let stranger = try reader(of: path, capacity: 1)
            let friend = try reader(of: path, capacity: count)
            for id in ids { _ = try friend.client(id) }
            ids.shuffle()
            add("lookup \(count)", to: &turns, Array(ids.prefix(100)), each: 1000, in: stranger)
            add("lookup of any \(count)", to: &turns, ids, each: 1000, in: try reader(of: path, capacity: 1))
            // Many, so that what the others leave in the processor's caches does not count.
            add("known \(count)", to: &turns, ids, each: 100_000, in: friend)
        }
        try await turns.run(milliseconds: milliseconds)
    }

    /// Looks for changes as often as the server does.
    private static func reader(of path: String, capacity: Int) throws(StoreError) -> RegistryReader {
        try RegistryReader(path: path, capacity: capacity, lookInterval: 1000) { _ in }
    }

    private static func add(
        _ name: String, to turns: inout Turns, _ ids: [ClientID], each count: Int, in reader: RegistryReader
    ) {
        var next = 0
        turns.add(name, count: count) {
            for _ in 0..<count {
                next = next + 1 < ids.count ? next + 1 : 0
                guard try reader.client(ids[next]) != nil else { throw StoreError(.notFound, "\(ids[next])") }
            }
        }
    }
}
