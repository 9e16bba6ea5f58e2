import HTTP
import OAuth

/// Gives a request to its endpoint.
enum Dispatcher {
    /// Begins to answer a request, also where there is no such path or method.
    static func begin(_ request: HTTPRequest, routes: Routes, worker: Worker) -> (Route?, Answering) {
        guard let route = routes.route(request.path) else {
            let answer = Answer(
                .text(
                    404,
                    "there is nothing at this path: tokens are at /oauth/token, the other endpoints in the metadata"
                ), outcome: "not_found")
            return (nil, .now(answer))
        }
        guard route.takes(request.method) else { return (route, .now(refusal(of: request, at: route))) }
        return (route, begin(request, at: route, worker: worker))
    }

    private static func begin(_ request: HTTPRequest, at route: Route, worker: Worker) -> Answering {
        switch route {
        case .token: TokenEndpoint.begin(request, worker: worker)
        case .introspection: .later { await IntrospectionEndpoint.respond(to: request, worker: worker) }
        case .revocation: .later { await RevocationEndpoint.respond(to: request, worker: worker) }
        case .metadata: .now(MetadataEndpoint.respond(worker: worker))
        case .jwks: .now(JWKSEndpoint.respond(to: request, worker: worker))
        case .live: .now(HealthEndpoint.live())
        case .ready: .later { await HealthEndpoint.ready(worker: worker) }
        }
    }

    /// 405 with what is allowed (RFC 9110 §15.5.6).
    private static func refusal(of request: HTTPRequest, at route: Route) -> Answer {
        let allowed = route.methods.joined(separator: ", ")
        let error = OAuthError.invalidRequest("this endpoint takes \(allowed) alone", status: 405)
        var answer = Answer(
            error, client: ClaimedClient.name(in: request),
            detail: "the method \(name(ofMethod: request.method)) is not allowed")
        answer.response.fields.append(HTTPField("Allow", allowed))
        return answer
    }

    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
    ]

    /// A method for the log. Another word than a method's may be the rest of a body whose length was said too small, and a
    /// secret in it.
    private static func name(ofMethod method: String) -> String {
        methods.contains(method.uppercased()) ? method : "\"\(StrangeName.beginning(of: method))\""
    }
}
