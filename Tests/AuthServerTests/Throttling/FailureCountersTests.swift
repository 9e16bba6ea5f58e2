import AuthStore
import OAuth
import ServerCases
import Testing

@testable import AuthServer

/// Time and names for the counters, which take both as values.
private final class Simulation {
    let counters: FailureCounters
    var now: Milliseconds = 1_000_000

    init(limit: Int) { counters = FailureCounters(limit: limit) }

    func attempt(_ id: String, from address: String, or other: String? = nil) throws
        -> FailureCounters.Attempt
    {
        counters.attempt(
            try ClientID(id), try other.map { try ClientID($0) }, from: AddressGroup(address))
    }

    /// Tries a wrong secret.
    /// - Returns: whether it was let in.
    @discardableResult
    func fail(_ id: String, from address: String, or other: String? = nil) throws -> Bool {
        let attempt = try attempt(id, from: address, or: other)
        guard counters.wait(attempt, at: now) == 0 else { return false }
        _ = counters.count(attempt, at: now)
        return true
    }

    /// Tries wrong secrets at one moment.
    /// - Returns: how many were let in.
    func fail(_ id: String, from address: String, times: Int) throws -> Int {
        try (0..<times).reduce(0) { count, _ in try count + (fail(id, from: address) ? 1 : 0) }
    }

    func isLetIn(_ id: String, from address: String) throws -> Bool {
        counters.wait(try attempt(id, from: address), at: now) == 0
    }

    func succeed(_ id: String, from address: String) throws {
        counters.succeeded(try ClientID(id), in: try attempt(id, from: address), at: now)
    }
}

@Suite("Failed authentications, counted")
struct FailureCountersTests {
    @Test(
        "T26 A client is refused from an address after so many failures, and nowhere else",
        arguments: [1, 7, 30, 1000])
    func limit(limit: Int) throws {
        let simulation = Simulation(limit: limit)
        #expect(try simulation.fail("gateway", from: "192.0.2.1", times: limit * 3) == limit)
        #expect(try !simulation.isLetIn("gateway", from: "192.0.2.1"))
        #expect(try simulation.isLetIn("gateway", from: "192.0.2.2"))
        #expect(try simulation.isLetIn("book", from: "192.0.2.1"))
    }

    @Test("T26 Ten a second for an hour: the limit a minute, and refusals do not make it longer")
    func steadyGuessing() throws {
        let simulation = Simulation(limit: 30)
        var letIn = 0
        for _ in 0..<36_000 {
            simulation.now += 100
            if try simulation.fail("gateway", from: "192.0.2.1") { letIn += 1 }
        }
        #expect((30 * 60...30 * 61).contains(letIn))
        let wait = simulation.counters.wait(
            try simulation.attempt("gateway", from: "192.0.2.1"), at: simulation.now)
        #expect((0...2000).contains(wait))
        simulation.now += wait
        #expect(try simulation.isLetIn("gateway", from: "192.0.2.1"))
    }

    @Test("The wait that is told is enough, and no more than it takes")
    func waitIsExact() throws {
        let simulation = Simulation(limit: 6)
        _ = try simulation.fail("gateway", from: "192.0.2.1", times: 6)
        let wait = simulation.counters.wait(
            try simulation.attempt("gateway", from: "192.0.2.1"), at: simulation.now)
        #expect(wait == 10_000)
        simulation.now += wait - 1
        #expect(try !simulation.isLetIn("gateway", from: "192.0.2.1"))
        simulation.now += 1
        #expect(try simulation.isLetIn("gateway", from: "192.0.2.1"))
    }

    @Test(
        "A client that others guess at from a thousand addresses is let in from its own, and from a new one")
    func noLockOut() throws {
        let simulation = Simulation(limit: 30)
        try simulation.succeed("gateway", from: "198.51.100.7")
        for number in 0..<1000 {
            _ = try simulation.fail("gateway", from: "10.0.\(number / 250).\(number % 250)", times: 30)
        }
        #expect(try simulation.isLetIn("gateway", from: "198.51.100.7"))
        #expect(try simulation.isLetIn("gateway", from: "198.51.100.8"))
        // It may even be wrong now and then.
        #expect(try simulation.fail("gateway", from: "198.51.100.7", times: 30) == 30)
    }

    @Test("A thousand addresses that guess at one client get one guess a minute each")
    func distributedGuessing() throws {
        let simulation = Simulation(limit: 30)
        var letIn = 0
        for _ in 0..<60 {
            simulation.now += 10_000
            for number in 0..<1000
            where try simulation.fail("gateway", from: "10.0.\(number / 250).\(number % 250)") {
                letIn += 1
            }
        }
        // Ten minutes; apart from the 300 a minute that are let in before they are dear, one for each address.
        #expect(letIn <= 10 * (1000 + 300) + 1300, "\(letIn)")
        #expect(letIn >= 10 * 1000)
    }

    @Test("An address that tries client after client is refused, but for clients that are known there")
    func spraying() throws {
        let simulation = Simulation(limit: 30)
        try simulation.succeed("gateway", from: "192.0.2.1")
        var letIn = 0
        for number in 0..<3000 where try simulation.fail("client-\(number)", from: "192.0.2.1") { letIn += 1 }
        #expect(letIn == 300)
        #expect(try !simulation.isLetIn("book", from: "192.0.2.1"))
        #expect(try simulation.isLetIn("gateway", from: "192.0.2.1"))
        #expect(try simulation.isLetIn("book", from: "192.0.2.2"))
        // Known is not trusted: its own failures count.
        #expect(try simulation.fail("gateway", from: "192.0.2.1", times: 90) == 30)
    }

    @Test("One client with a wrong secret does not use up what others behind its address have")
    func misconfiguredNeighbour() throws {
        let simulation = Simulation(limit: 30)
        for _ in 0..<6000 {
            simulation.now += 100
            try simulation.fail("misconfigured", from: "192.0.2.1")
        }
        #expect(try simulation.isLetIn("book", from: "192.0.2.1"))
    }

    @Test("What is known of an address is forgotten after a day without a success")
    func knownForADay() throws {
        let simulation = Simulation(limit: 30)
        try simulation.succeed("gateway", from: "192.0.2.1")
        simulation.now += 23 * 3_600_000
        for number in 0..<300 { try simulation.fail("client-\(number)", from: "192.0.2.1") }
        #expect(try simulation.isLetIn("gateway", from: "192.0.2.1"))
        simulation.now += 2 * 3_600_000
        for number in 0..<300 { try simulation.fail("client-\(number)", from: "192.0.2.1") }
        #expect(try !simulation.isLetIn("gateway", from: "192.0.2.1"))
    }

    @Test("A success gives no failures back")
    func successDoesNotReset() throws {
        let simulation = Simulation(limit: 30)
        _ = try simulation.fail("gateway", from: "192.0.2.1", times: 29)
        try simulation.succeed("gateway", from: "192.0.2.1")
        #expect(try simulation.fail("gateway", from: "192.0.2.1", times: 10) == 1)
    }

    @Test("T2 An attempt that can be read as two clients is one failure of each and one of the address")
    func twoReadings() throws {
        let simulation = Simulation(limit: 30)
        for _ in 0..<30 { #expect(try simulation.fail("a b", from: "192.0.2.1", or: "a+b")) }
        #expect(try !simulation.isLetIn("a b", from: "192.0.2.1"))
        #expect(try !simulation.isLetIn("a+b", from: "192.0.2.1"))
        // 30 of 300 are gone for the address.
        var letIn = 0
        for number in 0..<1000 where try simulation.fail("client-\(number)", from: "192.0.2.1") { letIn += 1 }
        #expect(letIn == 270)
    }

    @Test("What was counted for an attempt that was no failure is taken back")
    func takeBack() throws {
        let simulation = Simulation(limit: 5)
        let attempt = try simulation.attempt("gateway", from: "192.0.2.1", or: "gate way")
        for _ in 0..<100 {
            let counted = simulation.counters.count(attempt, at: simulation.now)
            simulation.counters.takeBack(counted, of: attempt, at: simulation.now)
        }
        #expect(try simulation.fail("gateway", from: "192.0.2.1", times: 10) == 5)
    }

    @Test("What other servers have counted is taken over where it is more")
    func learning() throws {
        let simulation = Simulation(limit: 30)
        let attempt = try simulation.attempt("gateway", from: "192.0.2.1")
        simulation.counters.learn(
            .init(address: 100, pairs: [59_000], clients: [100]), of: attempt, at: simulation.now)
        #expect(simulation.counters.wait(attempt, at: simulation.now) == 1000)
        simulation.counters.learn(
            .init(address: 100, pairs: [1000], clients: [100]), of: attempt, at: simulation.now)
        #expect(simulation.counters.wait(attempt, at: simulation.now) == 1000)
        // A store that says what cannot be is not believed.
        simulation.counters.learn(
            .init(address: 100, pairs: [.max], clients: [100]), of: attempt, at: simulation.now)
        #expect(simulation.counters.wait(attempt, at: simulation.now) <= 62_000)
    }
}

@Suite("Failed authentications, whatever comes")
struct FailureCountersPropertyTests {
    /// An attacker does what it likes with a million names; three clients go about their business.
    @Test("Clients that send the right secret are never refused, from wherever they come", arguments: 1...3)
    func othersAreUnharmed(seed: Int) throws {
        let simulation = Simulation(limit: 30)
        var random = SeededGenerator(seed: UInt64(seed))
        let clients = ["gateway", "book", "review"]
        for round in 0..<20_000 {
            simulation.now += Int64.random(in: 0...150, using: &random)
            let id = Bool.random(using: &random) ? clients[round % 3] : "unknown-\(random.next() % 1_000_000)"
            let low = random.next() % 65536
            try simulation.fail(id, from: "10.0.\(low / 256).\(low % 256)")
            guard round % 10 == 0 else { continue }
            let client = clients[Int(random.next() % 3)]
            let address = "192.0.2.\(random.next() % 256)"
            #expect(try simulation.isLetIn(client, from: address), "\(client) from \(address)")
            try simulation.succeed(client, from: address)
        }
    }

    /// Any order of failures, at any times: between two moments no more are let in than the limit allows.
    @Test("No address gets more guesses at a client than the limit says", arguments: 1...3)
    func rateIsBounded(seed: Int) throws {
        let limit = 12
        let simulation = Simulation(limit: limit)
        var random = SeededGenerator(seed: UInt64(seed))
        var letIn: [String: [Milliseconds]] = [:]
        for _ in 0..<20_000 {
            simulation.now += Int64.random(in: 0...400, using: &random)
            let address = "192.0.2.\(random.next() % 4)"
            if try simulation.fail("gateway", from: address) {
                letIn[address, default: []].append(simulation.now)
            }
        }
        try #require(letIn.count == 4)
        for moments in letIn.values {
            for (index, start) in moments.enumerated() {
                let inMinute = moments[index...].prefix { $0 < start + 60_000 }.count
                #expect(inMinute <= 2 * limit)
            }
            let elapsed = (moments.last ?? 0) - (moments.first ?? 0)
            #expect(moments.count <= limit + Int(elapsed) * limit / 60_000 + 1)
        }
    }
}
