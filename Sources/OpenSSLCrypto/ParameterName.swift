/// Names of OpenSSL's parameters (core_names.h) as C strings that live for ever.
///
/// A parameter list refers to the name and does not copy it. The constants of the header arrive as `String`s, whose
/// C form ends with the call that it is passed to.
enum ParameterName {
    static var group: UnsafePointer<CChar> { pointer("group") }
    static var publicKey: UnsafePointer<CChar> { pointer("pub") }
    static var pointX: UnsafePointer<CChar> { pointer("qx") }
    static var pointY: UnsafePointer<CChar> { pointer("qy") }
    static var modulus: UnsafePointer<CChar> { pointer("n") }
    static var exponent: UnsafePointer<CChar> { pointer("e") }
    static var digest: UnsafePointer<CChar> { pointer("digest") }
    static var password: UnsafePointer<CChar> { pointer("pass") }
    static var salt: UnsafePointer<CChar> { pointer("salt") }
    static var scryptN: UnsafePointer<CChar> { pointer("n") }
    static var scryptR: UnsafePointer<CChar> { pointer("r") }
    static var scryptP: UnsafePointer<CChar> { pointer("p") }
    static var maximumMemory: UnsafePointer<CChar> { pointer("maxmem_bytes") }

    /// The characters of a literal, which end in a zero byte.
    static func pointer(_ literal: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
