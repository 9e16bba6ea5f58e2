extension String {
    /// What C wrote, with U+FFFD in the place of what is no UTF-8.
    init(characters: ArraySlice<CChar>) {
        self.init(decoding: characters.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What C wrote; nil where it is no UTF-8.
    init?(valid characters: ArraySlice<CChar>) {
        self.init(validating: characters.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
