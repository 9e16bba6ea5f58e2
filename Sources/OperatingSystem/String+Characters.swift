extension String {
    /// What C wrote, which may be no UTF-8.
    init(characters: ArraySlice<CChar>) {
        self.init(decoding: characters.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
