import JOSE
import OpenSSLCrypto
import SQLite
import Testing

@testable import AuthStore

@Suite struct RegistrySigningKeyTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws { fixture = try RegistryFixture() }

    private func error(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch { return error as? StoreError }
    }

    @Test("The first start makes one ES256 key that signs at once, also when two servers start together")
    func first() throws {
        let other = try Registry(path: fixture.path, mode: .readWrite)
        let key = try #require(try registry.ensureSigningKey(at: start))
        #expect(try other.ensureSigningKey(at: start) == nil)
        #expect(try registry.ensureSigningKey(at: start) == nil)
        #expect(key.algorithm == .es256)
        #expect(try other.keyRing().signing(at: start)?.keyID == key.keyID)
        #expect(try registry.keySchedule().keys.count == 1)
    }

    @Test(
        "A key comes back able to sign, under its thumbprint (RFC 7638)",
        arguments: SignatureAlgorithm.allCases)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        try registry.rotateSigningKey(to: algorithm, publishedFor: 300, at: start)
        let key = try #require(try registry.keyRing().signing(at: start))
        #expect(key.keyID == JWK.thumbprint(of: key.publicKey))
        let message = Array("message".utf8)
        let signature = try Signer(key.privateKey).sign(message.span)
        #expect(key.publicKey.verify(signature, of: message))
    }

    @Test("A rotated key is published at once and signs after the JWK set's max-age")
    func rotate() throws {
        let old = try #require(try registry.ensureSigningKey(at: start))
        let new = try registry.rotateSigningKey(publishedFor: 300, at: start)
        let ring = try registry.keyRing()
        #expect(ring.published(at: start).map(\.keyID) == [old.keyID, new.keyID])
        #expect(ring.signing(at: start + 299_999)?.keyID == old.keyID)
        #expect(ring.signing(at: start + 300_000)?.keyID == new.keyID)
        #expect(new.algorithm == .es256)
    }

    @Test("A rotation in an emergency signs at once")
    func rotateNow() throws {
        let old = try #require(try registry.ensureSigningKey(at: start))
        let new = try registry.rotateSigningKey(
            to: .eddsa, publishedFor: 300, immediately: true, at: start + 1)
        #expect(try registry.keyRing().signing(at: start + 1)?.keyID == new.keyID)
        #expect(try registry.keyRing().published(at: start + 1).map(\.keyID) == [old.keyID, new.keyID])
    }

    @Test("A rotation in an emergency retires the keys that wait, which would take over later")
    func rotateNowPastWaiting() throws {
        let old = try #require(try registry.ensureSigningKey(at: start))
        let waiting = try registry.rotateSigningKey(publishedFor: 300, at: start)
        let new = try registry.rotateSigningKey(publishedFor: 300, immediately: true, at: start + 1)
        let ring = try registry.keyRing()
        #expect(ring.published(at: start + 1).map(\.keyID) == [old.keyID, new.keyID])
        for moment in [start + 1, start + 300_000, start + 10_000_000] {
            #expect(ring.signing(at: moment)?.keyID == new.keyID)
        }
        let retired = ring.schedule.keys.filter { $0.retiredAt != nil }
        #expect(retired.map(\.keyID) == [waiting.keyID])
    }

    @Test("Of keys made in one moment the last signs, whatever their names")
    func sameMoment() throws {
        var last = try registry.rotateSigningKey(publishedFor: 0, immediately: true, at: start)
        for _ in 0..<8 {
            last = try registry.rotateSigningKey(publishedFor: 0, immediately: true, at: start)
            #expect(try registry.keyRing().signing(at: start)?.keyID == last.keyID)
        }
    }

    @Test("The only key that signs is not retired, nor one whose successor does not sign yet")
    func retireLast() throws {
        let old = try #require(try registry.ensureSigningKey(at: start))
        #expect(error { try registry.retireSigningKey(old.keyID, at: start) }?.code == .invalid)
        try registry.rotateSigningKey(publishedFor: 300, at: start)
        let refusal = error { try registry.retireSigningKey(old.keyID, at: start) }
        #expect(refusal?.message.contains("authserver key rotate --now") == true)
        try registry.retireSigningKey(old.keyID, at: start + 300_000)
    }

    @Test("A retired key is neither published nor kept: its private part is erased")
    func retire() throws {
        let old = try #require(try registry.ensureSigningKey(at: start))
        let new = try registry.rotateSigningKey(publishedFor: 300, immediately: true, at: start)
        try registry.retireSigningKey(old.keyID, at: start)
        try registry.retireSigningKey(old.keyID, at: start + 5)
        #expect(try registry.keyRing().published(at: start).map(\.keyID) == [new.keyID])
        #expect(try registry.keySchedule().keys.first?.retiredAt == start)
        let kept = try registry.connection.integer(
            "SELECT count(*) FROM signing_keys WHERE kid = ? AND private_key IS NOT NULL", [.text(old.keyID)])
        #expect(kept == 0)
        #expect(error { try registry.retireSigningKey("no such", at: start) }?.code == .notFound)
    }

    @Test("A superseded key stays published for the longest lifetime ever, whatever became of the client")
    func longestLifetime() throws {
        let old = try #require(try registry.ensureSigningKey(at: start))
        try registry.addClient(ClientDraft(id: "gateway", tokenLifetime: 86_400), at: start)
        try registry.setTokenLifetime(60, of: "gateway", at: start)
        try registry.removeClient("gateway", at: start)
        #expect(try registry.longestTokenLifetime() == 86_400)
        try registry.rotateSigningKey(publishedFor: 300, immediately: true, at: start)
        #expect(try registry.keyRing().published(at: start + 86_400_000).contains { $0.keyID == old.keyID })
    }
}
