import OAuth
import Testing

@testable import AuthStore

@Suite struct SecretCheckTests {
    private let now: Milliseconds = 1_767_225_600_000
    private let cache = VerifiedSecretCache()
    private let generated = GeneratedSecret.make().reveal()

    private func makeClient(
        _ secrets: [(SecretVerifier, Milliseconds, Milliseconds?)], id: ClientID = "gateway",
        isDisabled: Bool = false
    ) -> RegisteredClient {
        RegisteredClient(
            id: id, isDisabled: isDisabled,
            secrets: secrets.enumerated().map { index, secret in
                ClientSecret(
                    id: "s\(index)", verifier: secret.0, notBefore: secret.1, expiresAt: secret.2)
            })
    }

    private func brought(_ text: String) throws -> SecretVerifier {
        let bytes = Array(text.utf8)
        return try SecretVerifier(BroughtSecret(bytes.span, allowingShort: true))
    }

    /// Both steps, and whether the second was needed.
    private func check(
        _ secrets: String..., client: RegisteredClient?, at moment: Milliseconds? = nil, cost: Int = 0
    ) -> (isAccepted: Bool, wasSlow: Bool) {
        let answer = SecretCheck.begin(
            secrets.map { Array($0.utf8) }, of: client, at: moment ?? now, cache: cache,
            cost: FailureCost(scryptDerivations: cost))
        switch answer {
        case .accepted: return (true, false)
        case .refused: return (false, false)
        case .undecided(let slow):
            let answer = slow.run()
            cache.remember(answer)
            return (answer.isAccepted, true)
        }
    }

    @Test("A generated secret is decided at once")
    func generatedSecret() {
        let secret = GeneratedSecret.make()
        let client = makeClient([(SecretVerifier(secret), 0, nil)])
        #expect(check(secret.reveal(), client: client) == (true, false))
        #expect(check(generated, client: client) == (false, false))
    }

    @Test("It is said which of a client's secrets was sent")
    func which() throws {
        let old = GeneratedSecret.make()
        let new = GeneratedSecret.make()
        let client = makeClient([
            (SecretVerifier(new), 0, nil), (SecretVerifier(old), 0, nil), (try brought("hunter22"), 0, nil),
        ])
        _ = check("hunter22", client: client)
        for (secret, id) in [(new.reveal(), "s0"), (old.reveal(), "s1"), ("hunter22", "s2")] {
            let answer = SecretCheck.begin(
                [Array("no".utf8), Array(secret.utf8)], of: client, at: now, cache: cache,
                cost: FailureCost(scryptDerivations: 1))
            guard case .accepted(let secretID) = answer else {
                Issue.record("\(id) is not accepted")
                continue
            }
            #expect(secretID == id)
        }
    }

    @Test("A brought secret takes scrypt the first time and none afterwards")
    func remembered() throws {
        let client = makeClient([(try brought("hunter22"), 0, nil)])
        #expect(check("hunter22", client: client) == (true, true))
        #expect(check("hunter22", client: client) == (true, false))
        #expect(check("hunter23", client: client) == (false, true))
        #expect(check("hunter23", client: client) == (false, true))
    }

    @Test("What was remembered of a secret ends with it, and helps no other client")
    func forgotten() throws {
        let verifier = try brought("hunter22")
        let client = makeClient([(verifier, 0, now + 1000)])
        #expect(check("hunter22", client: client) == (true, true))
        #expect(check("hunter22", client: client, at: now + 1000).isAccepted == false)
        let other = makeClient([(try brought("other"), 0, nil)], id: "other")
        #expect(check("hunter22", client: other) == (false, true))
        // The rotated client has a secret of another id.
        let rotated = RegisteredClient(
            id: "gateway",
            secrets: [ClientSecret(id: "new", verifier: try brought("new"), notBefore: 0, expiresAt: nil)])
        #expect(check("hunter22", client: rotated) == (false, true))
    }

    @Test("Two secrets in overlap both work, each within its time (T24)")
    func overlap() {
        let older = GeneratedSecret.make()
        let newer = GeneratedSecret.make()
        let client = makeClient([
            (SecretVerifier(older), 0, now + 1000), (SecretVerifier(newer), now - 1000, nil),
        ])
        #expect(check(older.reveal(), client: client).isAccepted)
        #expect(check(newer.reveal(), client: client).isAccepted)
        #expect(check(older.reveal(), client: client, at: now + 999).isAccepted)
        #expect(!check(older.reveal(), client: client, at: now + 1000).isAccepted)
        #expect(!check(newer.reveal(), client: client, at: now - 1001).isAccepted)
    }

    @Test("The raw form is accepted where the decoded one fails, by either kind (T2)")
    func forms() throws {
        let client = makeClient([(try brought("a+b"), 0, nil)])
        #expect(check("a b", "a+b", client: client) == (true, true))
        #expect(check("a b", "a+b", client: client) == (true, false))
        #expect(!check("a b", "a-b", client: client).isAccepted)
    }

    @Test("A disabled client is refused with the right secret")
    func disabled() throws {
        let secret = GeneratedSecret.make()
        #expect(
            !check(secret.reveal(), client: makeClient([(SecretVerifier(secret), 0, nil)], isDisabled: true))
                .isAccepted)
        let client = makeClient([(try brought("hunter22"), 0, nil)], isDisabled: true)
        #expect(check("hunter22", client: client, cost: 1) == (false, true))
    }

    @Test("A client without secrets, and no client, are refused; no form of a secret at all is too")
    func nothing() {
        #expect(check(generated, client: makeClient([])) == (false, false))
        #expect(check(generated, client: nil) == (false, false))
        #expect(check(client: makeClient([(.decoy(.sha256), 0, nil)])) == (false, false))
    }

    @Test("Where one client has brought secrets, every failure costs scrypt (B13)")
    func equalCost() throws {
        let secret = GeneratedSecret.make()
        let generatedOnly = makeClient([(SecretVerifier(secret), 0, nil)])
        #expect(check("wrong", client: nil, cost: 1) == (false, true))
        #expect(check("wrong", client: generatedOnly, cost: 1) == (false, true))
        #expect(check("wrong", client: makeClient([(try brought("x"), 0, nil)]), cost: 1) == (false, true))
        #expect(check(secret.reveal(), client: generatedOnly, cost: 1) == (true, false))
    }

    @Test("Why a secret is refused: which one it is that has ended, where that can be told quickly")
    func refusals() throws {
        let old = GeneratedSecret.make()
        let good = GeneratedSecret.make()
        let (ended, later) = (now, now + 1)
        let client = makeClient([(SecretVerifier(good), 0, later), (SecretVerifier(old), 0, ended)])
        let byHand = try makeClient([(brought("of before"), 0, ended), (SecretVerifier(good), 0, nil)])
        let many = makeClient(
            [(SecretVerifier(good), 0, nil)] + (0..<3).map { _ in (.decoy(.sha256), 0, ended) }
                + [(SecretVerifier(old), 0, ended)])
        for (secret, client, refusal) in [
            (old.reveal(), client, .ended(secretID: "s1")), ("other", client, .wrong),
            ("other", makeClient([(SecretVerifier(old), 0, ended)]), .allEnded), ("x", makeClient([]), .none),
            ("of before", byHand, .wrongOrEnded), (old.reveal(), many, .wrong), ("x", nil, .wrong),
        ] as [(String, RegisteredClient?, SecretCheck.Refusal)] {
            #expect(SecretCheck.refusal(of: [[0], Array(secret.utf8)], from: client, at: now) == refusal)
        }
    }
}
