/// Where a guard takes the issuer's keys from.
public enum KeySource: Sendable, Equatable {
    /// The `jwks_uri` of the issuer's metadata, found under the issuer's well-known address (RFC 8414 §3).
    case issuerMetadata
    /// A JWK Set at this URL: https, or http on the loopback interface.
    case jwksURL(String)
    /// A JWK Set in a file, read again every minute and when an unknown key appears.
    case jwksFile(String)
    /// A JWK Set's JSON text (RFC 7517 §5); it never changes.
    case jwks(String)
}
