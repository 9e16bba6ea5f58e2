import AuthStore
import HTTP
import JOSE

/// `GET /healthz`: the process answers. `GET /readyz`: the registry and the token store were asked and answered.
enum HealthEndpoint {
    /// Answers that the process runs.
    static func live() -> Answer {
        Answer(response(200, ["status": "ok"]), outcome: "ok")
    }

    /// Asks both stores.
    nonisolated(nonsending) static func ready(worker: Worker) async -> Answer {
        var problems: [String] = []
        do { try worker.registry.ping() } catch { problems.append(error.description) }
        if worker.keys.signingKeyIsMissing(at: worker.clock()) { problems.append("there is no signing key") }
        let registryIsReady = problems.isEmpty
        var tokensAreReady = true
        do { try await worker.tokens.ping() } catch {
            tokensAreReady = false
            problems.append(error.description)
        }
        let isReady = registryIsReady && tokensAreReady
        let members: JSONValue = [
            "status": isReady ? "ready" : "unavailable",
            "registry": registryIsReady ? "ok" : "unavailable",
            "token_store": tokensAreReady ? "ok" : "unavailable",
        ]
        var answer = response(isReady ? 200 : 503, members)
        if !isReady { answer.fields.append(HTTPField("Retry-After", "1")) }
        return Answer(
            answer, outcome: isReady ? "ready" : "unavailable",
            detail: problems.isEmpty ? nil : problems.joined(separator: "; "))
    }

    private static func response(_ status: Int, _ members: JSONValue) -> HTTPResponse {
        HTTPResponse(status: status, fields: CommonFields.uncachedJSON, body: JSON.serialize(members))
    }
}
