extension Duration {
    /// The same within what clocks can be asked for: not below nothing, and no more than a hundred years, which is
    /// for ever. A sum with a time that is larger would end the process.
    package var bounded: Duration { min(max(self, .zero), .seconds(100 * 365 * 86_400 as Int64)) }
}
