internal import JOSE
internal import OAuth

/// Where the claims stand in a payload that is written as this product's server writes it: found in one pass over the
/// bytes, without a tree of JSON values.
///
/// A short cut, and no second opinion. It takes one object of the claims that are named here, each once and of its
/// type, as far as `PlainJSON` reads them. Whatever else a payload holds, be it right or wrong, makes it say no: then
/// `AccessTokenDecoder.strictClaims` decides, and names the error. What is taken here is what would be taken there,
/// with the same values; a test holds one against the other.
struct PlainClaims {
    /// A set of claims.
    private struct Names: OptionSet {
        let rawValue: Int

        static let issuer = Names(rawValue: 1)
        static let subject = Names(rawValue: 1 << 1)
        static let clientID = Names(rawValue: 1 << 2)
        static let audience = Names(rawValue: 1 << 3)
        static let issuedAt = Names(rawValue: 1 << 4)
        static let expiresAt = Names(rawValue: 1 << 5)
        static let tokenID = Names(rawValue: 1 << 6)
        static let required: Names = [
            .issuer, .subject, .clientID, .audience, .issuedAt, .expiresAt, .tokenID,
        ]
        static let scope = Names(rawValue: 1 << 7)
        static let notBefore = Names(rawValue: 1 << 8)
    }

    private var seen: Names = []
    private(set) var issuer = 0..<0
    private(set) var subject = 0..<0
    private(set) var clientID = 0..<0
    /// With the quotation marks, and with the brackets where there are some.
    private(set) var audience = 0..<0
    private(set) var issuedAt: Int64 = 0
    private(set) var expiresAt: Int64 = 0
    private(set) var tokenID = 0..<0
    /// Empty where there is none, which means the same.
    private(set) var scope = 0..<0
    private(set) var notBefore: Int64?

    /// Finds them: whether all that must be there were found, and nothing else.
    mutating func read(_ json: inout PlainJSON) -> Bool {
        guard json.skip(UInt8(ascii: "{")) else { return false }
        repeat {
            guard let name = json.text(), json.skip(UInt8(ascii: ":")), read(json[name], &json) else {
                return false
            }
        } while json.skip(UInt8(ascii: ","))
        return json.skip(UInt8(ascii: "}")) && json.isAtEnd && seen.isSuperset(of: .required)
    }

    /// Reads the value of a claim, as far as it is one and was not there before.
    private mutating func read(_ name: Span<UInt8>, _ json: inout PlainJSON) -> Bool {
        guard let claim = Self.claim(name), !seen.contains(claim) else { return false }
        seen.insert(claim)
        switch claim {
        case .issuer: return Self.take(&issuer, json.text())
        case .subject: return Self.take(&subject, json.text())
        case .clientID: return Self.take(&clientID, json.text())
        case .audience: return Self.take(&audience, json.textOrTexts())
        case .issuedAt: return Self.take(&issuedAt, json.number())
        case .expiresAt: return Self.take(&expiresAt, json.number())
        case .tokenID: return Self.take(&tokenID, json.text())
        case .scope: return Self.take(&scope, json.text())
        default:
            notBefore = json.number()
            return notBefore != nil
        }
    }

    @inline(__always)
    private static func take<Value>(_ claim: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        claim = value
        return true
    }

    /// The claim of this name.
    private static func claim(_ name: Span<UInt8>) -> Names? {
        // As a number: of `client_id` only eight letters fit, so that the first one is looked at by itself.
        var letters: UInt64 = 0
        for index in name.indices { letters = letters << 8 | UInt64(name[index]) }
        switch (name.count, letters) {
        case (3, 0x69_73_73): return .issuer  // iss
        case (3, 0x73_75_62): return .subject  // sub
        case (9, 0x6C_69_65_6E_74_5F_69_64): return name[0] == UInt8(ascii: "c") ? .clientID : nil
        case (3, 0x61_75_64): return .audience  // aud
        case (3, 0x69_61_74): return .issuedAt  // iat
        case (3, 0x65_78_70): return .expiresAt  // exp
        case (3, 0x6A_74_69): return .tokenID  // jti
        case (5, 0x73_63_6F_70_65): return .scope  // scope
        case (3, 0x6E_62_66): return .notBefore  // nbf
        default: return nil
        }
    }
}
