import Glibc

/// Things that are done in turns, so that what the machine does meanwhile is in all of them, and what each costs.
struct Turns {
    /// Something that can be repeated.
    private struct Subject {
        let name: String
        /// How often a turn does it.
        let count: Int
        let turn: () async throws -> Void
        var done = 0
        var processor: Int64 = 0
        var wall: Int64 = 0
    }

    private var subjects: [Subject] = []

    /// Adds something that a call of `turn` does `count` times.
    mutating func add(_ name: String, count: Int, turn: @escaping () async throws -> Void) {
        subjects.append(Subject(name: name, count: count, turn: turn))
    }

    /// Runs each for about so long, in turns, after one turn that does not count; prints a line of JSON for each:
    /// how often it was done, and nanoseconds of the process and of the wall clock.
    mutating func run(milliseconds: Int) async throws {
        for subject in subjects { try await subject.turn() }
        let enough = Int64(milliseconds) * 1_000_000
        var isOver = false
        while !isOver {
            isOver = true
            for index in subjects.indices where subjects[index].wall < enough {
                isOver = false
                try await take(index)
            }
        }
        for subject in subjects {
            print(
                """
                {"name": "\(subject.name)", "count": \(subject.done), "cpu_ns": \(subject.processor), \
                "wall_ns": \(subject.wall)}
                """)
        }
    }

    private mutating func take(_ index: Int) async throws {
        let (processor, wall) = (now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC))
        try await subjects[index].turn()
        subjects[index].processor += now(CLOCK_PROCESS_CPUTIME_ID) - processor
        subjects[index].wall += now(CLOCK_MONOTONIC) - wall
        subjects[index].done += subjects[index].count
    }
}

/// A clock in nanoseconds.
func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
