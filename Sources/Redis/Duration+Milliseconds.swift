extension Duration {
    /// Whole milliseconds.
    var inMilliseconds: Int64 {
        // A year at most: a number without end would be none.
        min(components.seconds, 31_536_000) * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
