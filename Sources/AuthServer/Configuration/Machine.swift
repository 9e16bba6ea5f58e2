internal import Glibc

/// The machine that the program runs on.
enum Machine {
    /// How many processors the program may use.
    static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
