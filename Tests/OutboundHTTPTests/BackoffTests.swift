import OutboundHTTP
import Testing

struct BackoffTests {
    private let backoff = Backoff(first: .seconds(1), maximum: .seconds(60))

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (1000, 60)])
    func `the wait doubles up to the bound, and jitter takes off at most half`(failures: Int, bound: Int) {
        let bound = Duration.seconds(bound)
        #expect(backoff.delay(afterFailures: failures, jitter: 0) == bound * 0.5)
        #expect(backoff.delay(afterFailures: failures, jitter: 0.5) == bound * 0.75)
        #expect(backoff.delay(afterFailures: failures, jitter: 0.999) <= bound)
    }
}
