/// How a client sends its secret (RFC 7591 §2, `token_endpoint_auth_method`).
public enum ClientAuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// In the Authorization header (RFC 6749 §2.3.1).
    case clientSecretBasic = "client_secret_basic"
    /// In the form body (RFC 6749 §2.3.1).
    case clientSecretPost = "client_secret_post"
}
