import AccessToken
import Foundation
import HTTP
import JOSE
import LocalServer
import OpenSSLCrypto
import ResourceGuard
import TokenClient

@testable import Gateway

/// A gateway whose neighbours are local servers that do as a test says.
struct GatewayFixture: Sendable {
    typealias Handler = @Sendable (LocalRequest) -> LocalReply

    static let book = #"{"id":1,"title":"Moby-Dick","description":"A whale."}"#
    static let reviews = #"[{"id":1,"bookId":1,"reviewText":"Long."}]"#

    let catalog: LocalServer
    let reviewService: LocalServer
    let authorizationServer: LocalServer
    let api: GatewayAPI
    private let token: String

    init(
        catalog: @escaping Handler = { _ in .json(Self.book) },
        reviews: @escaping Handler = { _ in .json(Self.reviews) },
        authorizationServer: @escaping Handler = Self.issueToken
    ) throws {
        let key = try PrivateKey.generate(.es256)
        self.catalog = try LocalServer(catalog)
        reviewService = try LocalServer(reviews)
        self.authorizationServer = try LocalServer(authorizationServer)
        token = try Self.appToken(key)
        let keys = JWKSet([JWK(key.publicKey)])
        let tokens = try TokenClient(
            tokenEndpoint: self.authorizationServer.url + "/oauth/token", clientID: "gateway",
            clientSecret: "secret")
        api = GatewayAPI(
            resourceGuard: try ResourceGuard(
                issuer: "https://as.example", resource: "RESOURCE_ID_GATEWAY",
                keys: .jwks(String(decoding: keys.json(), as: UTF8.self))),
            catalog: ProtectedService(
                resource: try ResourceID("RESOURCE_ID_BOOK"), upstream: try Upstream(self.catalog.url),
                tokens: tokens),
            reviews: ProtectedService(
                resource: try ResourceID("RESOURCE_ID_REVIEW"), upstream: try Upstream(reviewService.url),
                tokens: tokens),
            passThrough: PassThrough(
                authorizationServer: try Upstream(self.authorizationServer.url)))
    }

    /// Asks the gateway as the app, with its token.
    func get(_ path: String, query: String? = nil) async -> HTTPResponse {
        await api.answer(
            HTTPRequest(
                method: "GET", path: path, query: query,
                fields: [HTTPField("Authorization", "Bearer " + token)]))
    }

    /// A token that says for which resource it is, and how many were issued before.
    static let issueToken: Handler = { request in
        let resource = request.body.contains("RESOURCE_ID_BOOK") ? "book" : "review"
        return .json(#"{"access_token":"\#(resource)-token","token_type":"Bearer","expires_in":3600}"#)
    }

    private static func appToken(_ key: PrivateKey) throws -> String {
        let now = Int64(Date.now.timeIntervalSince1970)
        let claims = AccessTokenClaims(
            issuer: "https://as.example", audience: [try ResourceID("RESOURCE_ID_GATEWAY")],
            clientID: try ClientID("app"), issuedAt: now, expiresAt: now + 3600,
            tokenID: try TokenID("AAAAAAAAAAAAAAAAAAAA-_"), scopes: ["read"])
        return String(decoding: try AccessTokenEncoder(key: key).encode(claims), as: UTF8.self)
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
