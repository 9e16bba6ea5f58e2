internal import ExampleSupport
internal import HTTP
internal import ResourceGuard
internal import TokenClient

/// The gateway: resource `RESOURCE_ID_GATEWAY` for apps, client `gateway` of the services behind it.
@main enum GatewayService {
    static func main() {
        let flags: Set = [
            "--listen", "--issuer", "--authserver", "--book", "--review", "--redis", "--client-id",
        ]
        Service("gateway", usage: usage, flags: flags).run(defaultListen: "127.0.0.1:8080") { start in
            try api(start).answer
        }
    }

    private static func api(_ start: Service.Start) throws -> GatewayAPI {
        let flags = start.flags
        var configuration = TokenClient.Configuration()
        // Shorter than the server's deadline for a whole request, of which this is a part.
        configuration.deadline = .seconds(2)
        let tokens = try TokenClient(
            issuer: start.issuer, clientID: flags["--client-id"] ?? "gateway",
            clientSecret: try start.clientSecret(), configuration: configuration)
        return GatewayAPI(
            resourceGuard: try start.resourceGuard("RESOURCE_ID_GATEWAY"),
            catalog: ProtectedService(
                resource: try ResourceID("RESOURCE_ID_BOOK"),
                upstream: try Upstream(flags["--book"] ?? "http://127.0.0.1:8081"), tokens: tokens),
            reviews: ProtectedService(
                resource: try ResourceID("RESOURCE_ID_REVIEW"),
                upstream: try Upstream(flags["--review"] ?? "http://127.0.0.1:8082"), tokens: tokens),
            passThrough: PassThrough(authorizationServer: try Upstream(flags["--authserver"] ?? start.issuer))
        )
    }

    private static let usage = """
        Usage: CLIENT_SECRET=... Gateway [FLAGS]

        The gateway of the examples: GET /api/books and GET /api/books/{id}, a book with its reviews, for tokens
        that hold the scope read at RESOURCE_ID_GATEWAY. /oauth/** and /.well-known/** are handed on to the
        authorization server.

        Flags:
          --listen HOST:PORT   address (127.0.0.1:8080)
          --issuer URL         the authorization server as tokens name it (http://127.0.0.1:8083)
          --authserver URL     where /oauth/** is handed on to (the issuer)
          --book URL           the book catalog (http://127.0.0.1:8081)
          --review URL         the review service (http://127.0.0.1:8082)
          --client-id ID       the gateway as a client (gateway); its secret is in the variable CLIENT_SECRET
          --redis URL          ask the shared token store whether a token was revoked; the variable REDIS_URL
                               keeps a password out of the process list

        Example:
          CLIENT_SECRET="$(cat gateway.secret)" Gateway --redis redis://127.0.0.1:6379
        """
}
