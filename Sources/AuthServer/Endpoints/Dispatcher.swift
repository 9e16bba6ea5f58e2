import HTTP
import OAuth

/// Gives a request to its endpoint.
enum Dispatcher {
    /// Answers a request, also where there is no such path or method.
    nonisolated(nonsending) static func respond(to request: HTTPRequest, routes: Routes, worker: Worker) async
        -> (Route?, Answer)
    {
        guard let route = routes.route(request.path) else {
            return (nil, Answer(.text(404, "there is nothing at this path"), outcome: "not_found"))
        }
        guard route.takes(request.method) else { return (route, refusal(of: route)) }
        return (route, await answer(to: request, at: route, worker: worker))
    }

    nonisolated(nonsending) private static func answer(
        to request: HTTPRequest, at route: Route, worker: Worker
    ) async -> Answer {
        switch route {
        case .token: await TokenEndpoint.respond(to: request, worker: worker)
        case .introspection: await IntrospectionEndpoint.respond(to: request, worker: worker)
        case .revocation: await RevocationEndpoint.respond(to: request, worker: worker)
        case .metadata: MetadataEndpoint.respond(worker: worker)
        case .jwks: JWKSEndpoint.respond(to: request, worker: worker)
        case .live: HealthEndpoint.live()
        case .ready: await HealthEndpoint.ready(worker: worker)
        }
    }

    /// 405 with what is allowed (RFC 9110 §15.5.6).
    private static func refusal(of route: Route) -> Answer {
        let allowed = route.methods.joined(separator: ", ")
        let error = OAuthError.invalidRequest("this endpoint takes \(allowed) alone", status: 405)
        var answer = Answer(error, detail: "method not allowed")
        answer.response.fields.append(HTTPField("Allow", allowed))
        return answer
    }
}
