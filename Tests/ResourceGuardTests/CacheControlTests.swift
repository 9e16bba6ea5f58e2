import Testing

@testable import ResourceGuard

struct CacheControlTests {
    @Test(arguments: [
        (nil, nil, nil), ("", nil, nil), ("public", nil, nil), ("max-age=300", nil, 300),
        ("public, MAX-AGE=300, must-revalidate", nil, 300), ("max-age=\"300\"", nil, 300),
        ("max-age=300", "100", 200), ("max-age=300", "400", 0), ("max-age=300", "x", 300),
        ("max-age=300, max-age=5", nil, 300), ("no-store", nil, 0), ("no-cache, max-age=300", nil, 0),
        ("max-age=-1", nil, nil), ("max-age=99999999999999999999", nil, 2_147_483_648),
        ("max-age=", nil, nil),
        ("max-age=+5", nil, nil), ("max-age=1 2", nil, nil), ("max-age=3\"00", nil, nil),
        ("max-age=300 ", nil, 300),
        ("max-age=300", "+100", 300), ("max-age=300", "-0", 300), ("max-age=٣", nil, nil),
        ("s-maxage=300", nil, nil),
    ])
    func `the age is max-age less Age (RFC 9111 §4.2)`(control: String?, age: String?, seconds: Int?) {
        #expect(CacheControl.age(cacheControl: control, age: age) == seconds.map { .seconds($0) })
    }

    @Test func `the age is bounded on both sides`() {
        let policy = KeyCachePolicy()
        #expect(policy.bounded(nil) == .seconds(300))
        #expect(policy.bounded(.zero) == .seconds(10))
        #expect(policy.bounded(.seconds(4_000_000_000)) == .seconds(24 * 3600))
    }
}
