import Testing

/// Tests of the real process, one after the other: they measure times, and start servers of their own.
@Suite("The real process", .serialized)
enum RealProcess {}
