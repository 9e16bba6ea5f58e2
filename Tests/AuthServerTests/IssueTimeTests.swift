import AuthStore
import Testing

@testable import AuthServer

@Suite("When a token is issued")
struct IssueTimeTests {
    @Test(
        "A token counts from the moment up to which the registry is known, and after the end of earlier ones",
        arguments: [
            // now, known, ended, told, counted
            (5000, 4000, nil, 5000, 4000), (5000, 6000, nil, 5000, 5000), (5000, 4000, 3000, 5000, 4000),
            (5000, 4000, 4000, 5000, 4001), (5000, 4000, 4999, 5000, 5000), (5000, 4000, 5000, 6000, 5001),
            (5000, 4000, 9000, 10_000, 9001), (5000, 4000, 65_000, 66_000, 65_001),
            // A clock that is set back by more than a minute: the order of the store's moments alone is kept.
            (5000, 4000, 65_001, 5000, 65_002),
        ] as [(Milliseconds, Milliseconds, Milliseconds?, Milliseconds, Milliseconds)])
    func moments(
        now: Milliseconds, known: Milliseconds, ended: Milliseconds?, told: Milliseconds,
        counted: Milliseconds
    ) {
        let time = IssueTime(now: now, asOf: known, ended: ended)
        #expect(time.told == told && time.counted == counted)
    }
}
