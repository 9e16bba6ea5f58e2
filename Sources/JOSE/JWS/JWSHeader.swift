/// The header of a JWS (RFC 7515 §4). What it says is the sender's claim: it selects nothing but a key, whose own
/// algorithm decides. `jku`, `jwk`, `x5u` and `x5c` are never followed nor trusted.
public struct JWSHeader: Sendable, Hashable {
    /// `alg` (RFC 7515 §4.1.1), whatever it is.
    public let algorithm: String
    /// `kid` (RFC 7515 §4.1.4).
    public let keyID: String?
    /// `typ` (RFC 7515 §4.1.9).
    public let type: String?
    /// `cty` (RFC 7515 §4.1.10).
    public let contentType: String?
    /// All parameters.
    public let parameters: JSONObject

    /// Reads a header.
    /// - Throws: `JWSError` when it is no JSON object, `alg` is missing, one of the parameters above is not a string,
    ///   or `crit` or `b64` is there, whatever it holds.
    init(parsing bytes: Span<UInt8>) throws(JWSError) {
        let value: JSONValue
        do { value = try JSON.parse(bytes, limits: Self.limits) } catch { throw .invalidHeader(error) }
        guard case .object(let parameters) = value else { throw .headerNotAnObject }
        guard parameters["crit"] == nil, parameters["b64"] == nil else { throw .criticalParameter }
        guard let algorithm = parameters["alg"]?.string, !algorithm.isEmpty else {
            throw .invalidParameter("alg")
        }
        self.algorithm = algorithm
        keyID = try Self.text("kid", of: parameters)
        type = try Self.text("typ", of: parameters)
        contentType = try Self.text("cty", of: parameters)
        self.parameters = parameters
    }

    private static let limits = JSON.Limits(maximumBytes: 16 << 10, maximumDepth: 8)

    private static func text(_ name: String, of parameters: JSONObject) throws(JWSError) -> String? {
        guard let value = parameters[name] else { return nil }
        guard let text = value.string else { throw .invalidParameter(name) }
        return text
    }
}
