import AuthStore
import JOSE
import OAuth
import Testing

@testable import AuthServer

@Suite("Token identifiers")
struct TokenIDTests {
    @Test(
        "The first four bits tell the sixteenth of the second, so that tokens issued together lie together",
        arguments: [(0, "A"), (62, "A"), (63, "E"), (500, "g"), (999, "8"), (-1, "A")]
            as [(Milliseconds, Character)])
    func beginning(offset: Milliseconds, first: Character) throws {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let start = try #require(letters.firstIndex(of: first))
        let moment = offset < 0 ? offset : 1_767_225_600_000 + offset
        let seen = Set((0..<200).map { _ in TokenID.random(at: moment).value.first })
        #expect(seen == Set(letters[start..<start + 4]))
    }

    @Test("All else, 128 bits, is random: each of them is as often set as not")
    func random() throws {
        let rounds = 4000
        var counts = [Int](repeating: 0, count: 132)
        for _ in 0..<rounds {
            let value = TokenID.random(at: 1_767_225_600_000).value
            // Two characters of zeros more are whole bytes.
            let bytes = try #require(Base64URL.decode(value + "AA"))
            for bit in counts.indices where bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 {
                counts[bit] += 1
            }
        }
        #expect(counts[..<4].allSatisfy { $0 == 0 })
        // Eight standard deviations.
        #expect(counts[4...].allSatisfy { abs($0 - rounds / 2) < 260 })
    }
}
