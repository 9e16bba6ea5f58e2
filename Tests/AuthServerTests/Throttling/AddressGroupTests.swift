import HTTP
import Testing

@testable import AuthServer

@Suite("Addresses that are counted as one")
struct AddressGroupTests {
    @Test(
        "An IPv4 address is itself, in whichever form",
        arguments: [
            "192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "::FFFF:192.0.2.1", "64:ff9b::192.0.2.1",
        ])
    func ipv4(address: String) {
        #expect(AddressGroup(address) == .ipv4(0xC000_0201))
        #expect(AddressGroup(address).description == "4:c0000201")
    }

    @Test(
        "An IPv6 address is its /64",
        arguments: [
            "2001:db8:1:2::", "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff",
            "2001:0DB8:0001:0002::192.0.2.1",
        ])
    func ipv6(address: String) {
        #expect(AddressGroup(address) == .ipv6Prefix(0x2001_0DB8_0001_0002))
    }

    @Test("A zone says nothing; another /64 is another", arguments: ["fe80::1", "fe80::2%eth0", "fe80::3%1"])
    func zone(address: String) {
        #expect(AddressGroup(address) == .ipv6Prefix(0xFE80_0000_0000_0000))
        #expect(AddressGroup("2001:db8:1:3::1") != AddressGroup("2001:db8:1:2::1"))
    }

    @Test(
        "What is no address is not taken for one",
        arguments: ["", "unknown", "192.0.2", "192.0.2.256", "::g", ":", "%"])
    func unknown(address: String) {
        #expect(AddressGroup(address) == .unknown)
    }

    @Test(
        "The address that a proxy vouches for, without the port that some add",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("192.0.2.1:4711", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
        ])
    func forwarded(value: String, address: String) {
        var request = HTTPRequest(method: "GET", path: "/")
        request.fields = [HTTPField("X-Forwarded-For", value)]
        #expect(RequestHandler.forwardedAddress(of: request) == address)
    }
}
