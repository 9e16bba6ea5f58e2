internal import Glibc

/// What this process uses of the machine.
package struct ProcessUsage: Sendable, Equatable {
    /// Processor time, in microseconds.
    package var cpuMicroseconds: UInt64
    /// Memory that is in use and in place; nil where the system does not say.
    package var residentBytes: UInt64?
    /// How many descriptors are open; nil where the system does not say.
    package var openDescriptors: Int?
    /// How many may be; nil without a limit.
    package var maximumDescriptors: UInt64?

    /// A usage of these numbers.
    package init(
        cpuMicroseconds: UInt64, residentBytes: UInt64?, openDescriptors: Int?, maximumDescriptors: UInt64?
    ) {
        self.cpuMicroseconds = cpuMicroseconds
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
        self.maximumDescriptors = maximumDescriptors
    }

    /// What is used now. Reads what the kernel makes up in memory: no disk, no wait.
    package static func now() -> ProcessUsage {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        var limit = rlimit()
        let hasLimit =
            getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0
            && limit.rlim_cur != rlim_t.max
        return ProcessUsage(
            cpuMicroseconds: microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
            residentBytes: residentBytes(), openDescriptors: openDescriptors(),
            maximumDescriptors: hasLimit ? UInt64(limit.rlim_cur) : nil)
    }

    private static func microseconds(_ time: timeval) -> UInt64 {
        UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(max(0, time.tv_usec))
    }

    /// The second number of `statm` (proc(5)), in pages.
    private static func residentBytes() -> UInt64? {
        guard let file = try? SmallFile(path: "/proc/self/statm", maximumBytes: 4096, patience: .zero) else {
            return nil
        }
        let numbers = file.content.split(separator: UInt8(ascii: " "))
        guard numbers.count > 1, let pages = UInt64(String(decoding: numbers[1], as: UTF8.self)) else {
            return nil
        }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func openDescriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Not `.`, `..`, and the descriptor of this folder itself.
        return max(0, count - 3)
    }
}
