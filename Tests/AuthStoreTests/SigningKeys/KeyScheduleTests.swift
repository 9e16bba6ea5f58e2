import OpenSSLCrypto
import Testing

@testable import AuthStore

@Suite struct KeyScheduleTests {
    /// Keys a, b and c that sign from 0, 1000 and 2000 seconds on; tokens live an hour at most.
    private func schedule(retired: Set<String> = [], lifetime: Int64 = 3600) -> KeySchedule {
        let keys = [("c", 2000), ("a", 0), ("b", 1000)].map { name, second in
            SigningKeyDetail(
                keyID: name, algorithm: .es256, createdAt: 0, activatesAt: Milliseconds(second) * 1000,
                retiredAt: retired.contains(name) ? 1 : nil)
        }
        return KeySchedule(keys: keys, longestTokenLifetime: lifetime)
    }

    @Test(
        "The newest active key signs (T30), and the first for a clock that is set back",
        arguments: [(-1, "a"), (0, "a"), (999, "a"), (1000, "b"), (1999, "b"), (2000, "c"), (1_000_000, "c")]
            as [(Int64, String?)])
    func signing(second: Int64, expected: String?) {
        #expect(schedule().signing(at: second * 1000)?.keyID == expected)
    }

    @Test("A retired key never signs: the one before it does again")
    func retiredSigning() {
        #expect(schedule(retired: ["c"]).signing(at: 5_000_000)?.keyID == "b")
        #expect(schedule(retired: ["b"]).signing(at: 1_500_000)?.keyID == "a")
        #expect(schedule(retired: ["a", "b", "c"]).signing(at: 5_000_000) == nil)
    }

    @Test(
        "A key is published from when it was made until its last token has ended (G15)",
        arguments: [
            (0, "abc"), (2000, "abc"), (1000 + 3600, "abc"), (1000 + 3600 + 299, "abc"),
            (1000 + 3600 + 300, "bc"),
            (2000 + 3600 + 299, "bc"), (2000 + 3600 + 300, "c"), (1_000_000, "c"),
        ] as [(Int64, String)])
    func published(second: Int64, expected: String) {
        #expect(schedule().published(at: second * 1000).map(\.keyID).joined() == expected)
    }

    @Test("A retired key is published no more, and takes nobody's place")
    func retiredPublished() {
        #expect(schedule(retired: ["c"]).published(at: 0).map(\.keyID) == ["a", "b"])
        // With b retired, c is what takes the place of a.
        let end: Milliseconds = (2000 + 3600 + 300) * 1000
        #expect(schedule(retired: ["b"]).published(at: end - 1).map(\.keyID) == ["a", "c"])
        #expect(schedule(retired: ["b"]).published(at: end).map(\.keyID) == ["c"])
    }

    @Test(
        "At every moment what signs is published, and what signed is while its tokens live",
        arguments: [1, 60, 86_400])
    func invariant(lifetime: Int64) {
        let schedule = schedule(lifetime: lifetime)
        for second in stride(from: Int64(0), through: 100_000, by: 97) {
            guard let signer = schedule.signing(at: second * 1000) else {
                Issue.record("nothing signs at \(second)")
                continue
            }
            for later in [second, second + lifetime / 2, second + lifetime] {
                #expect(schedule.published(at: later * 1000).contains(signer))
            }
        }
    }

    @Test("What waits has not begun to sign")
    func waiting() {
        #expect(schedule().waiting(at: 500_000).map(\.keyID) == ["b", "c"])
        #expect(schedule(retired: ["b"]).waiting(at: 500_000).map(\.keyID) == ["c"])
        #expect(schedule().waiting(at: 2_000_000).isEmpty)
        // With the clock set back, the first signs before its time.
        #expect(schedule().waiting(at: -1).map(\.keyID) == ["b", "c"])
    }

    @Test("A status tells where a key stands")
    func status() {
        func statuses(_ second: Int64, _ schedule: KeySchedule) -> [KeySchedule.Status] {
            schedule.keys.map { schedule.status(of: $0, at: second * 1000) }
        }
        let endOfA: Milliseconds = (1000 + 3900) * 1000
        #expect(
            statuses(1500, schedule()) == [
                .superseded(publishedUntil: endOfA), .signing, .pending(activatesAt: 2_000_000),
            ])
        #expect(statuses(100_000, schedule()) == [.ended, .ended, .signing])
        #expect(statuses(100_000, schedule(retired: ["a", "c"])) == [.retired, .signing, .retired])
    }
}
