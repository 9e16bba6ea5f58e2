import JOSE
import TestSupport
import Testing

@Suite("Strict JSON (RFC 8259)") struct JSONTests {
    @Test(
        "what is read",
        arguments: [
            ("null", .null), (" \t\r\n[ ] ", []), ("{}", [:]), ("true", true), ("false", false),
            ("0", 0), ("-0", 0), ("-1", -1), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("1.5", .number(1.5)), ("1e3", .number(1000)), ("1E+3", .number(1000)),
            ("-1.5e-3", .number(-0.0015)),
            ("1e-999", .number(0)), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\uD834\uDD1E\u0000""#, "Aé\u{1D11E}\0"), (#""é€𝄞""#, "é€𝄞"),
            (#""\u007F""#, "\u{7F}"),
            (#"{"a":[1,{"b":null}],"":2}"#, ["a": [1, ["b": .null]], "": 2]),
        ] as [(String, JSONValue)])
    func accepted(text: String, value: JSONValue) throws {
        #expect(try JSON.parse(Array(text.utf8)) == value)
    }

    @Test(
        "A34: what is not JSON is refused with a reason",
        arguments: [
            ("", .unexpectedEnd), (" ", .unexpectedEnd), ("[", .unexpectedEnd), ("[1", .unexpectedEnd),
            ("[1,", .unexpectedEnd), ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte),
            ("[1 2]", .unexpectedByte),
            ("[1}", .unexpectedByte), ("{", .unexpectedEnd), (#"{"a"}"#, .unexpectedByte),
            (#"{"a":}"#, .unexpectedByte),
            (#"{"a":1,}"#, .unexpectedByte), ("{a:1}", .unexpectedByte), (#"{1:1}"#, .unexpectedByte),
            (#"{'a':1}"#, .unexpectedByte), ("nul", .unexpectedEnd), ("nulll", .unexpectedByte),
            ("True", .unexpectedByte),
            ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte), ("-Infinity", .unexpectedByte),
            ("1 2", .unexpectedByte), ("{}{}", .unexpectedByte), ("//", .unexpectedByte),
            ("[/**/]", .unexpectedByte),
            ("\u{FEFF}[]", .unexpectedByte), ("[\u{A0}]", .unexpectedByte), ("[\u{C}]", .unexpectedByte),
            ("01", .unexpectedByte), ("-01", .unexpectedByte), ("+1", .unexpectedByte),
            (".5", .unexpectedByte),
            ("1.", .unexpectedEnd), ("[1.]", .unexpectedByte), ("1e", .unexpectedEnd),
            ("1e+", .unexpectedEnd), ("-", .unexpectedEnd),
            ("0x1", .unexpectedByte), ("1_0", .unexpectedByte), ("1.2.3", .unexpectedByte),
            ("１", .unexpectedByte),
            ("1e400", .numberOutOfRange), ("-1e400", .numberOutOfRange),
            (String(repeating: "9", count: 400), .numberOutOfRange),
            ("1" + String(repeating: "0", count: 200), .numberOutOfRange),
            (#"""#, .unexpectedEnd), (#""\"#, .unexpectedEnd), (#""\u12"#, .unexpectedEnd),
            ("\"a\nb\"", .invalidString),
            ("\"\t\"", .invalidString), ("\"\0\"", .invalidString), ("\"\\\n\"", .invalidString),
            (#""\a""#, .invalidString),
            (#""\x41""#, .invalidString), (#""\U0041""#, .invalidString), (#""\u004g""#, .invalidString),
            (#""\uD834""#, .invalidString), (#""\uD834x""#, .invalidString), (#""\uD834\n""#, .invalidString),
            (#""\uDD1E""#, .invalidString), (#""\uDD1E\uD834""#, .invalidString),
            (#""\uD834\uD834""#, .invalidString),
        ] as [(String, JSONError.Code)])
    func refused(text: String, code: JSONError.Code) {
        #expect {
            try JSON.parse(Array(text.utf8))
        } throws: {
            ($0 as? JSONError)?.code == code
        }
    }

    @Test(
        "invalid UTF-8 is refused, never repaired",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
            [0xF0, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func utf8(bytes: [UInt8]) {
        let quotationMark = UInt8(ascii: "\"")
        for text in [
            [quotationMark] + bytes + [quotationMark], Array(#"{"\n"#.utf8) + bytes + Array(#"":1}"#.utf8),
        ] {
            #expect {
                try JSON.parse(text)
            } throws: {
                ($0 as? JSONError)?.code == .invalidString
            }
        }
    }

    @Test(
        "A6, G4: a member twice is refused, also when it is written in two ways or among many",
        arguments: [
            #"{"aud":1,"aud":1}"#, #"{"alg":"RS256","\u0061lg":"none"}"#, #"[{"a":{"b":1,"c":2,"b":3}}]"#,
            #"{"":1,"":2}"#,
            "{" + (0..<100).map { "\"n\($0)\":0" }.joined(separator: ",") + #","n50":1}"#,
        ])
    func duplicates(text: String) {
        #expect {
            try JSON.parse(Array(text.utf8))
        } throws: {
            ($0 as? JSONError)?.code == .duplicateName
        }
    }

    @Test("names that Unicode takes as equivalent are different names, and are looked up exactly")
    func equivalence() throws {
        // The Kelvin sign and K; a letter with an accent in two forms.
        let text = "{\"K\":1,\"\u{212A}\":2,\"\u{E9}\":3,\"e\u{301}\":4}"
        let object = try #require(try JSON.parse(Array(text.utf8)).object)
        #expect(object.members.count == 4)
        #expect(object["K"] == 1)
        #expect(object["\u{212A}"] == 2)
        #expect(object["\u{E9}"] == 3)
        #expect(object["e\u{301}"] == 4)
        var many = "{"
        for index in 0..<20 { many += "\"n\(index)\":0," }
        #expect(try JSON.parse(Array((many + text.dropFirst()).utf8)).object?.members.count == 24)
    }

    @Test("depth and size have limits, and a text at the limit is read")
    func limits() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSON.parse(nested(16))
        #expect { try JSON.parse(nested(17)) } throws: { ($0 as? JSONError)?.code == .tooDeep }
        _ = try JSON.parse(nested(512), limits: .init(maximumDepth: .max))
        #expect { try JSON.parse(nested(513), limits: .init(maximumDepth: .max)) } throws: {
            ($0 as? JSONError)?.code == .tooDeep
        }
        _ = try JSON.parse(nested(5), limits: .init(maximumBytes: 10))
        #expect { try JSON.parse(nested(5), limits: .init(maximumBytes: 9)) } throws: {
            ($0 as? JSONError)?.code == .tooLarge
        }
    }

    @Test(
        "A34, G16: texts made to be dear are read or refused in linear time",
        arguments: [
            LongText(String(repeating: "[", count: 100_000)),
            LongText(String(repeating: "{\"a\":", count: 100_000)),
            LongText("[" + String(repeating: "0,", count: 400_000) + "0]"),
            LongText("\"" + String(repeating: "\\u0041", count: 150_000) + "\""),
            LongText("{" + (0..<90_000).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"),
            LongText(String(repeating: "9", count: 1_000_000)),
            LongText("[" + String(repeating: "1.0000000000000001e10,", count: 45_000) + "0]"),
        ])
    func dear(text: LongText) {
        let bytes = Array(text.text.utf8)
        let duration = ContinuousClock().measure { _ = try? JSON.parse(bytes) }
        // A megabyte; optimised it is some 20 ms. The bound is for a slow machine and a build that is not.
        #expect(duration < .seconds(20))
    }

    @Test(
        "names that differ in their bytes are different, however alike they look, and cost no more than others"
    )
    func spellings() throws {
        let spellings = ["\u{E9}", "e\u{301}"]
        var names = [""]
        for _ in 0..<12 { names = names.flatMap { name in spellings.map { name + $0 } } }
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        var value: JSONValue?
        let duration = try ContinuousClock().measure { value = try JSON.parse(Array(text.utf8)) }
        #expect(value?.object?.members.count == 4096)
        // Linear it is some milliseconds; it was seconds in a build without optimizations.
        #expect(duration < .seconds(3))
    }

    @Test("what is written is read as the same value, and without white space")
    func serialize() throws {
        let value: JSONValue = [
            "text": "a\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}é𝄞\u{7F}",
            "numbers": [0, -1, .integer(.min), .number(1.5), .number(1e300)],
            "others": [true, false, .null, [:], []],
        ]
        let text = JSON.serialize(value)
        #expect(try JSON.parse(text) == value)
        #expect(!text.contains(UInt8(ascii: " ")))
        #expect(
            String(decoding: JSON.serialize("\u{0}\u{1F}\"\\\n"), as: UTF8.self) == #""\u0000\u001f\"\\\n""#)
        #expect(String(decoding: JSON.serialize(.number(.infinity)), as: UTF8.self) == "null")
    }

    @Test("an object keeps its order; assigning replaces, appends and removes")
    func object() {
        var object = JSONObject()
        object["b"] = 1
        object["a"] = 2
        object["b"] = 3
        #expect(object.members.map(\.name) == ["b", "a"])
        #expect(object["b"] == 3)
        object["b"] = nil
        object["c"] = nil
        #expect(object.members.map(\.name) == ["a"])
    }
}
