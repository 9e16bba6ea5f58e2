import Foundation
import OpenSSLCrypto
import SQLite
import TestSupport
import Testing

@testable import AuthStore

@Suite struct MasterKeyTests {
    private static let bytes = (0..<32).map { UInt8($0 * 7 % 256) }
    private static let hexadecimal = bytes.map { String(format: "%02x", $0) }.joined()
    private static let base64 = Data(bytes).base64EncodedString()

    private func masterKey(_ content: [UInt8] = bytes) throws -> MasterKey {
        try #require(MasterKey(parsing: content))
    }

    private func error(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch { return error as? StoreError }
    }

    /// The private parts as they stand in the file.
    private func storedKeys(_ fixture: RegistryFixture) throws -> [[UInt8]] {
        try fixture.registry.connection.rows("SELECT private_key FROM signing_keys ORDER BY id") {
            $0.blob(0)
        }
    }

    @Test(
        "A key file holds 32 bytes, hexadecimal or base64, and a line end does no harm",
        arguments: [
            bytes, Array(hexadecimal.utf8), Array(hexadecimal.uppercased().utf8),
            Array((hexadecimal + "\n").utf8),
            Array((hexadecimal + "\r\n").utf8), Array(base64.utf8), Array((base64 + "\n").utf8),
            Array(base64.dropLast().replacing("+", with: "-").replacing("/", with: "_").utf8),
        ])
    func forms(content: [UInt8]) throws {
        let sealed = try masterKey().seal([1, 2, 3].span, keyID: "kid")
        let opened = try masterKey(content).open(sealed, keyID: "kid")
        let plaintext = opened.span.copy()
        #expect(plaintext == [1, 2, 3])
    }

    @Test(
        "Anything else is no key",
        arguments: [
            "", "secret", String(hexadecimal.dropLast()), hexadecimal + "0", String(base64.dropLast(3)),
            "g" + hexadecimal.dropFirst(), "\u{663}" + hexadecimal.dropFirst(2),
        ])
    func noKey(content: String) {
        #expect(MasterKey(parsing: Array(content.utf8)) == nil)
    }

    @Test("A file that is missing or holds no key is named, and its content is not")
    func file() throws {
        let folder = try TemporaryDirectory()
        let missing = error { _ = try MasterKey(file: folder.file("none")) }
        #expect(missing?.code == .masterKey && missing?.message.contains(folder.file("none")) == true)
        try Data("hunter22".utf8).write(to: URL(fileURLWithPath: folder.file("key")))
        chmod(folder.file("key"), 0o600)
        let wrong = error { _ = try MasterKey(file: folder.file("key")) }
        #expect(wrong?.code == .masterKey && wrong?.message.contains("hunter22") == false)
        try Data(Self.hexadecimal.utf8).write(to: URL(fileURLWithPath: folder.file("key")))
        chmod(folder.file("key"), 0o400)
        _ = try MasterKey(file: folder.file("key"))
    }

    @Test(
        "A file that others may read is refused, with the command that helps",
        arguments: [0o640, 0o604, 0o644])
    func exposed(mode: mode_t) throws {
        let folder = try TemporaryDirectory()
        try Data(Self.hexadecimal.utf8).write(to: URL(fileURLWithPath: folder.file("key")))
        chmod(folder.file("key"), mode)
        let refusal = error { _ = try MasterKey(file: folder.file("key")) }
        #expect(refusal?.code == .masterKey)
        #expect(refusal?.message.hasSuffix("run chmod 600 " + folder.file("key")) == true)
    }

    @Test("Keys are encrypted at rest under a master key, and plain without")
    func atRest() throws {
        for key in [try masterKey(), nil] {
            let fixture = try RegistryFixture(masterKey: key)
            try fixture.registry.ensureSigningKey(at: fixture.start)
            let stored = try #require(try storedKeys(fixture).first)
            // PKCS #8 is a DER sequence that names the curve.
            let isPlain =
                stored.first == 0x30 && Data(stored).range(of: Data([0x2A, 0x86, 0x48, 0xCE, 0x3D])) != nil
            #expect(isPlain == (key == nil))
            #expect(try fixture.registry.keyRing().signing(at: fixture.start) != nil)
        }
    }

    @Test("Encrypted keys without the master key, or with another, are an error that says which")
    func wrongKey() throws {
        let fixture = try RegistryFixture(masterKey: try masterKey())
        try fixture.registry.ensureSigningKey(at: fixture.start)
        let without = try Registry(path: fixture.path, mode: .readWrite)
        let other = try Registry(
            path: fixture.path, mode: .readWrite, masterKey: try masterKey([UInt8](repeating: 1, count: 32)))
        let first = error { _ = try without.keyRing() }
        #expect(first?.code == .masterKey && first?.message.contains("name the master key file") == true)
        let second = error { _ = try other.keyRing() }
        #expect(second?.code == .masterKey && second?.message.contains("another master key") == true)
        // They can be listed, and no plain one gets among them.
        #expect(try without.keySchedule().keys.map(\.isEncrypted) == [true])
        #expect(
            error { try without.rotateSigningKey(publishedFor: 1, at: fixture.start) }?.code == .masterKey)
    }

    @Test("A key under another master key is neither made nor taken for encrypted, and nothing is written")
    func anotherMasterKey() throws {
        let fixture = try RegistryFixture(masterKey: try masterKey())
        try fixture.registry.ensureSigningKey(at: fixture.start)
        try fixture.registry.rotateSigningKey(publishedFor: 60, at: fixture.start)
        let before = try fixture.registry.keySchedule()
        let other = try Registry(
            path: fixture.path, mode: .readWrite, masterKey: try masterKey([UInt8](repeating: 1, count: 32)))
        for immediately in [false, true] {
            let refusal = error {
                try other.rotateSigningKey(publishedFor: 60, immediately: immediately, at: fixture.start)
            }
            #expect(refusal?.code == .masterKey && refusal?.message.contains("key retire --yes") == true)
        }
        #expect(error { try other.encryptSigningKeys() }?.code == .masterKey)
        #expect(try fixture.registry.keySchedule() == before)
        #expect(try fixture.registry.keyRing().signing(at: fixture.start) != nil)
    }

    @Test("A master key is changed with the old one, for plain keys too, and the keys stay the same")
    func changed() throws {
        let fixture = try RegistryFixture()
        try fixture.registry.ensureSigningKey(at: fixture.start)
        let old = try Registry(path: fixture.path, mode: .readWrite, masterKey: try masterKey())
        try old.encryptSigningKeys()
        let before = try old.keyRing().published(at: fixture.start)
        let newKey = try masterKey([UInt8](repeating: 1, count: 32))
        let new = try Registry(path: fixture.path, mode: .readWrite, masterKey: newKey)
        let wrong = try masterKey([UInt8](repeating: 2, count: 32))
        #expect(error { try new.encryptSigningKeys(replacing: wrong) }?.code == .masterKey)
        #expect(try new.encryptSigningKeys(replacing: masterKey()) == 1)
        #expect(try new.encryptSigningKeys(replacing: masterKey()) == 0)
        #expect(try new.keyRing().published(at: fixture.start).map(\.publicKey) == before.map(\.publicKey))
        #expect(error { _ = try old.keyRing() }?.code == .masterKey)
    }

    @Test("Keys whose master key is lost are retired, the last of them too, and another is made then")
    func lost() throws {
        let fixture = try RegistryFixture(masterKey: try masterKey())
        let key = try #require(try fixture.registry.ensureSigningKey(at: fixture.start))
        let new = try Registry(
            path: fixture.path, mode: .readWrite, masterKey: try masterKey([UInt8](repeating: 1, count: 32)))
        #expect(error { try new.retireSigningKey(key.keyID, at: fixture.start) }?.code == .invalid)
        try new.retireSigningKey(key.keyID, evenLast: true, at: fixture.start)
        #expect(try new.keyRing().signing(at: fixture.start) == nil)
        let next = try new.rotateSigningKey(publishedFor: 60, at: fixture.start)
        #expect(try new.keyRing().signing(at: fixture.start)?.keyID == next.keyID)
    }

    @Test("A sealed key belongs to its name: rows cannot be exchanged")
    func bound() throws {
        let fixture = try RegistryFixture(masterKey: try masterKey())
        try fixture.registry.ensureSigningKey(at: fixture.start)
        try fixture.registry.rotateSigningKey(publishedFor: 1, at: fixture.start)
        try fixture.registry.connection.run(
            "UPDATE signing_keys SET private_key = (SELECT private_key FROM signing_keys s WHERE s.id <> signing_keys.id)"
        )
        #expect(error { _ = try fixture.registry.keyRing() }?.code == .masterKey)
    }

    @Test("Plain keys are encrypted on demand, once, and are the same keys")
    func encrypt() throws {
        let fixture = try RegistryFixture()
        try fixture.registry.ensureSigningKey(at: fixture.start)
        let old = try fixture.registry.rotateSigningKey(publishedFor: 1, immediately: true, at: fixture.start)
        try fixture.registry.rotateSigningKey(publishedFor: 1, immediately: true, at: fixture.start)
        try fixture.registry.retireSigningKey(old.keyID, at: fixture.start)
        #expect(error { try fixture.registry.encryptSigningKeys() }?.code == .masterKey)
        let registry = try Registry(path: fixture.path, mode: .readWrite, masterKey: try masterKey())
        let before = try registry.keyRing().published(at: fixture.start)
        #expect(try registry.encryptSigningKeys() == 2)
        #expect(try registry.encryptSigningKeys() == 0)
        let after = try registry.keyRing().published(at: fixture.start)
        #expect(after.map(\.publicKey) == before.map(\.publicKey))
        #expect(after.map(\.detail.isEncrypted) == [true, true])
        #expect(error { _ = try fixture.registry.keyRing() }?.code == .masterKey)
    }
}
