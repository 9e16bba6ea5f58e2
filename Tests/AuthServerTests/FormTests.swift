import HTTP
import OAuth
import Testing

@testable import AuthServer

/// The parts of the request that are read before anything is decided, each by itself.
@Suite("Forms, Basic and base64")
struct FormTests {
    @Test(
        "RFC 6749 appendix B: plus is a space, %HH a byte of UTF-8; nothing else is decoded",
        arguments: [
            ("", ""), ("a+b", "a b"), ("a%20b", "a b"), ("%2B", "+"), ("%e2%82%AC", "€"), ("a=b", "a=b"),
            ("%", nil), ("%4", nil), ("%zz", nil), ("%4g", nil), ("%00", nil), ("%80", nil), ("%C0%AF", nil),
            ("%ED%A0%80", nil), ("%u0041", nil),
        ] as [(String, String?)])
    func decodes(text: String, expected: String?) {
        #expect(FormEncoding.decode(text.utf8.span) == expected)
    }

    @Test("A parameter without value counts as absent (RFC 6749 section 3.2)")
    func emptyIsAbsent() throws {
        let parameters = try FormParameters(parsing: Array("a=&b&resource=&resource=x&resource=y".utf8))
        #expect(parameters["a"] == nil)
        #expect(parameters["b"] == nil)
        #expect(Array(parameters.values("resource")) == ["x", "y"])
    }

    @Test(
        "RFC 6749 section 3.2: a repeated parameter is named where its name is known, and never its value",
        arguments: [
            ("scope=read&scope=write", "the parameter scope is given twice"),
            ("grant%5Ftype=a&x=y&grant_type=b", "the parameter grant_type is given twice"),
            ("client_id=a&client_secret=b&client_id=a", "the parameter client_id is given twice"),
            ("client_assertion=a&client_assertion=b", "the parameter client_assertion is given twice"),
            ("token=a&token=b", "the parameter token is given twice"),
            ("token_type_hint=a&token_type_hint=b", "the parameter token_type_hint is given twice"),
            ("hunter2&hunter2", "a parameter that is not known here is given twice"),
            ("scope%0A=1&scope%0A=2", "a parameter that is not known here is given twice"),
            ("Scope=1&Scope=2", "a parameter that is not known here is given twice"),
        ])
    func repeated(body: String, description: String) {
        let error = #expect(throws: OAuthError.self) { try FormParameters(parsing: Array(body.utf8)) }
        #expect(error == .invalidRequest(description))
    }

    @Test("A parameter that is repeated at the end of a long form is named, and not the form's length")
    func repeatedInLongForm() {
        let names = (0..<FormParameters.maximumCount - 1).map { "a\($0)=1" } + ["scope=read", "scope=write"]
        let error = #expect(throws: OAuthError.self) {
            try FormParameters(parsing: Array(names.joined(separator: "&").utf8))
        }
        #expect(error == .invalidRequest("the parameter scope is given twice"))
    }

    @Test("As many parameters as are allowed, and one more")
    func bounded() throws {
        let names = (0..<FormParameters.maximumCount).map { "a\($0)=1" }
        #expect(try FormParameters(parsing: Array(names.joined(separator: "&").utf8))["a0"] == "1")
        #expect(throws: OAuthError.self) {
            try FormParameters(parsing: Array((names + ["b=1"]).joined(separator: "&").utf8))
        }
    }

    @Test(
        "RFC 4648 section 4: base64 with its padding, and no bit left over",
        arguments: [
            ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("", nil), ("Zg", nil),
            ("Zg=", nil), ("Zg===", nil), ("Zh==", nil), ("Zm9=", nil), ("=g==", nil), ("Z===", nil),
            ("====", nil), ("Zm9v\n", nil), ("Zm-_", nil), ("Zg==Zg==", nil), ("Zm9vZ", nil),
        ] as [(String, String?)])
    func base64(text: String, expected: String?) {
        #expect(Base64.decode(text.utf8.span).map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(
        "RFC 6749 section 2.3.1: the form-decoded reading first, then the raw one where it differs",
        arguments: [
            ("Z2F0ZXdheTphK2I=", ["gateway:a b", "gateway:a+b"]), ("Z2F0ZXdheTphYg==", ["gateway:ab"]),
            ("YTpiOmM=", ["a:b:c"]), ("YTo1XiV6eg==", ["a:5^%zz"]), ("YQ==", []), ("OmI=", []),
        ])
    func readings(credentials: String, expected: [String]) {
        let found = ClientSecretBasic.read("Basic \(credentials)").readings.map {
            "\($0.clientID):\(String(decoding: $0.secret, as: UTF8.self))"
        }
        #expect(found == expected)
    }
}
