import ExampleSupport
import Testing

@Suite("Parameters of the examples")
struct ParameterTests {
    @Test(arguments: [
        (nil, 0, 100), ("", 0, 100), ("page=2", 2, 100), ("size=5", 0, 5), ("page=1&size=3", 1, 3),
        ("size=100&page=1000000", 1_000_000, 100), ("sort=title&page=1", 1, 100), ("pages=x", 0, 100),
    ])
    func `a page is counted from 0 and has a bound`(query: String?, number: Int64, size: Int64) throws {
        let page = try Page(query: query)
        #expect(page.number == number && page.size == size && page.offset == number * size)
    }

    @Test(arguments: [
        "page", "page=", "page=-1", "page=+1", "page=1.0", "page=x", "page=1000001",
        "page=99999999999999999999",
        "page=1&page=1", "page=%31", "page= 1", "page=١", "size=0", "size=101", "size=-5", "page==1",
    ])
    func `a page that is none is refused with what would be right`(query: String) {
        let error = #expect(throws: BadParameter.self) { try Page(query: query) }
        #expect(error?.description.hasPrefix(String(query.prefix(4))) == true)
    }

    @Test(arguments: ["", "0", "-1", "+1", "1a", "٣", "9223372036854775808", "1%20", "..", "'"])
    func `an id is a number from 1`(text: String) {
        #expect(throws: BadParameter.self) { try identifier(text[...]) }
    }

    @Test func `ids reach as far as SQLite's`() throws {
        #expect(try identifier("1") == 1)
        #expect(try identifier("9223372036854775807") == .max)
    }
}
