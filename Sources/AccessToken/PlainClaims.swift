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
            guard let claim = Self.claim(&json), read(claim, &json) else { return false }
        } while json.skip(UInt8(ascii: ","))
        return json.skip(UInt8(ascii: "}")) && json.isAtEnd && seen.isSuperset(of: .required)
    }

    /// Reads the value of a claim, as far as it is one and was not there before.
    private mutating func read(_ claim: Names, _ json: inout PlainJSON) -> Bool {
        guard !seen.contains(claim) else { return false }
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

    /// Steps over a name and the colon after it, and tells which it is.
    @inline(__always)
    private static func claim(_ json: inout PlainJSON) -> Names? {
        // As numbers, the first character the lowest: names of three letters are six with quotation marks and colon.
        guard let next = json.nextEight else { return nil }
        let claim: Names? =
            switch next & 0xFFFF_FFFF_FFFF {
            case 0x3A22_7373_6922: .issuer  // "iss":
            case 0x3A22_6275_7322: .subject  // "sub":
            case 0x3A22_6475_6122: .audience  // "aud":
            case 0x3A22_7461_6922: .issuedAt  // "iat":
            case 0x3A22_7078_6522: .expiresAt  // "exp":
            case 0x3A22_6974_6A22: .tokenID  // "jti":
            case 0x3A22_6662_6E22: .notBefore  // "nbf":
            default: nil
            }
        if let claim {
            json.skip(count: 6)
            return claim
        }
        json.skip(count: 8)
        switch next {
        case 0x3A22_6570_6F63_7322: return .scope  // "scope":
        case 0x5F74_6E65_696C_6322:  // "client_
            guard json.skip(UInt8(ascii: "i")), json.skip(UInt8(ascii: "d")), json.skip(UInt8(ascii: "\"")),
                json.skip(UInt8(ascii: ":"))
            else { return nil }
            return .clientID
        default: return nil
        }
    }
}
