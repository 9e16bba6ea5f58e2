import OAuth
import Testing

@testable import AuthStore

@Suite struct RegistrySecretTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
    }

    private func secrets() throws -> [SecretDetail] { try registry.client("gateway").secrets }

    @Test("A verifier comes back from the registry as it was put in", arguments: SecretVerifier.Kind.allCases)
    func roundTrip(kind: SecretVerifier.Kind) throws {
        let verifier = SecretVerifier.decoy(kind)
        let id = try registry.addSecret(verifier, to: "gateway", from: start, until: start + 5, at: start)
        let client = try #require(try fixture.reader().client("gateway"))
        #expect(
            client.secrets == [
                ClientSecret(id: id, verifier: verifier, notBefore: 0, expiresAt: start + 5)
            ])
    }

    @Test(
        "A secret that is good at once is good for a clock that is set back, too; one for later waits",
        arguments: [(0, -7_200_000, true), (0, 0, true), (1000, 0, false), (1000, 1000, true)])
    func clockSetBack(delay: Milliseconds, moment: Milliseconds, isGood: Bool) throws {
        try registry.addSecret(.decoy(.sha256), to: "gateway", from: start + delay, at: start)
        #expect(try secrets().map { $0.isValid(at: start + moment) } == [isGood])
    }

    @Test("Rotation ends older secrets after the overlap, and never later than they would have ended")
    func rotate() throws {
        let first = try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start)
        let second = try registry.addSecret(
            .decoy(.sha256), to: "gateway", from: start, until: start + 1000, at: start)
        let third = try registry.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: 86_400, at: start)
        let ends = Dictionary(uniqueKeysWithValues: try secrets().map { ($0.id, $0.expiresAt) })
        #expect(ends == [first: start + 86_400_000, second: start + 1000, third: nil])
    }

    @Test("Rotation without overlap ends older secrets at once")
    func rotateNow() throws {
        try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start)
        let id = try registry.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: 0, at: start)
        #expect(try secrets().filter { $0.isValid(at: start) }.map(\.id) == [id])
    }

    @Test("Ended secrets make room", arguments: [1, Registry.maximumSecrets, 20])
    func room(count: Int) throws {
        for index in 0..<count {
            try registry.rotateSecret(
                of: "gateway", to: .decoy(.sha256), overlap: 1, at: start + Int64(index) * 2000)
        }
        #expect(try secrets().count <= 2)
    }

    @Test("A client has a bounded number of secrets, and one is removed by its short name")
    func bounded() throws {
        var ids: [String] = []
        for _ in 0..<Registry.maximumSecrets {
            ids.append(try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start))
        }
        let error = #expect(throws: StoreError.self) {
            try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start)
        }
        #expect(error?.code == .invalid)
        try registry.removeSecret(ids[3], of: "gateway", at: start)
        #expect(try secrets().map(\.id) == ids.filter { $0 != ids[3] })
        let missing = #expect(throws: StoreError.self) {
            try registry.removeSecret(ids[3], of: "gateway", at: start)
        }
        #expect(missing?.code == .notFound)
    }

    @Test("A secret that would never be good is refused")
    func badTimes() {
        for end in [start, start - 1] {
            #expect(throws: StoreError.self) {
                try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, until: end, at: start)
            }
        }
        #expect(throws: StoreError.self) {
            try registry.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: -1, at: start)
        }
    }

    @Test("A failure costs as many derivations as the client with the most brought secrets has")
    func failureCost() throws {
        #expect(try fixture.reader().failureCost().scryptDerivations == 0)
        try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start)
        #expect(try fixture.reader().failureCost().scryptDerivations == 0)
        try registry.addSecret(.decoy(.scrypt), to: "gateway", from: start, at: start)
        try registry.addSecret(.decoy(.scrypt), to: "gateway", from: start, at: start)
        try registry.addClient(ClientDraft(id: "app"), at: start)
        try registry.addSecret(.decoy(.scrypt), to: "app", from: start, at: start)
        #expect(try fixture.reader().failureCost().scryptDerivations == 2)
    }
}
