import OAuth
import Testing

@Suite("Sets of scopes")
struct ScopesTests {
    @Test(
        "A text that somebody wrote to name scopes names one at least: nothing is opened by an empty setting",
        arguments: ["", " ", "    "])
    func empty(text: String) throws {
        let error = #expect(throws: VocabularyError.self) { try Scopes(parsing: text) }
        #expect(error?.description == "there is no scope in the text; where none is meant, write Scopes()")
        #expect(try Scopes(value: text).isEmpty, "as the parameter or claim of RFC 6749 section 3.3 may be")
    }

    @Test(
        "RFC 6749 section 3.3: scopes stand between spaces, in any order and number",
        arguments: ["read write", "write read", " write  read read ", "read write "])
    func parsed(text: String) throws {
        #expect(try Scopes(parsing: text) == ["read", "write"])
        #expect(try Scopes(value: text) == ["read", "write"])
    }

    @Test(
        "RFC 6749 section 3.3: other characters are refused", arguments: ["a\"b", "a\\b", "é", "a\tb", "a\n"])
    func refused(text: String) {
        #expect(throws: VocabularyError.self) { try Scopes(parsing: text) }
        #expect(throws: VocabularyError.self) { try Scopes(value: text) }
    }

    @Test("None is what a program says by name") func none() { #expect(Scopes() == [] && Scopes().isEmpty) }
}
