import Testing

@testable import TokenClient

struct RetryPolicyTests {
    private let policy = RetryPolicy()

    @Test func `the wait doubles, and Retry-After lengthens it`() {
        let plenty = Duration.seconds(100)
        #expect(
            policy.next(afterAttempts: 1, retryAfter: nil, remaining: plenty, jitter: 0)
                == .retry(after: .milliseconds(100)))
        #expect(
            policy.next(afterAttempts: 3, retryAfter: nil, remaining: plenty, jitter: 0)
                == .retry(after: .milliseconds(400)))
        #expect(
            policy.next(afterAttempts: 1, retryAfter: .seconds(3), remaining: plenty, jitter: 0)
                == .retry(after: .seconds(3)))
        #expect(
            policy.next(afterAttempts: 1, retryAfter: .zero, remaining: plenty, jitter: 0)
                == .retry(after: .milliseconds(100)))
    }

    @Test func `a wait that the deadline would cut is not begun`() {
        #expect(
            policy.next(afterAttempts: 1, retryAfter: .seconds(5), remaining: .seconds(5), jitter: 0)
                == .giveUp)
        #expect(policy.next(afterAttempts: 1, retryAfter: nil, remaining: .zero, jitter: 0) == .giveUp)
    }

    @Test(arguments: [
        (429, true), (502, true), (503, true), (504, true), (400, false), (401, false), (500, false),
    ])
    func `only overload and outage are worth another attempt`(status: Int, isTransient: Bool) {
        #expect(RetryPolicy.isTransient(status: status) == isTransient)
    }
}
