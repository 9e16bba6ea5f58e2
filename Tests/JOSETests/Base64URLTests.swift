import JOSE
import Testing

@Suite("Base64url (RFC 7515 section 2, RFC 4648 section 5)") struct Base64URLTests {
    @Test(
        "the vectors of RFC 4648 section 10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test("every byte value and every length survive")
    func roundTrip() {
        let bytes = Array(UInt8.min...UInt8.max)
        for start in 0..<4 {
            for length in 0..<200 {
                let part = Array(bytes[start..<start + length])
                #expect(Base64URL.decode(Base64URL.encode(part)) == part)
            }
        }
        #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
    }

    @Test(
        "A23, G5: lax forms are refused",
        arguments: [
            "Zg==", "Zm8=", "Zm9v=", "=", "Z", "Zm9vY", "Zm9v ", " Zm9v", "Zm 9v", "Zm9v\n", "Zm\r\n9v",
            "Zm+v", "Zm/v",
            "Zm9v!!!!", "Z=9v", "Zm9vé", "Zm9\u{0}", "Zh", "Zm9", "Z*", "Z*8", "Zm8.",
        ])
    func lax(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("RFC 4648 section 3.5: of the texts that differ in unused bits, one is read")
    func unusedBits() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(alphabet.filter { Base64URL.decode("Z\($0)") != nil } == ["A", "Q", "g", "w"])
        #expect(alphabet.filter { Base64URL.decode("Zm\($0)") != nil }.count == 16)
    }

    @Test("a character of another alphabet is refused wherever it stands")
    func places() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for count in [2, 3, 4, 12, 24, 27] {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
                    var text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
                    text[place] = byte
                    #expect(Base64URL.decode(text.span) == nil)
                }
            }
        }
    }
}
