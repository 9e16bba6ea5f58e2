import AuthStore
import HTTP
import JOSE

/// `GET /healthz`: the process answers. `GET /readyz`: the registry and the token store were asked and answered.
enum HealthEndpoint {
    /// Answers that the process runs.
    static func live() -> Answer {
        Answer(response(200, ["status": "ok"]), outcome: "ok")
    }

    /// Asks both stores, and whether a token can be signed.
    nonisolated(nonsending) static func ready(worker: Worker) async -> Answer {
        var problems: [String] = []
        var registryIsReady = true
        do { try worker.registry.ping() } catch {
            registryIsReady = false
            problems.append(error.description)
        }
        let keys = keyState(worker)
        if let problem = keys.problem { problems.append(problem) }
        var tokensAreReady = true
        do { try await worker.tokens.ping() } catch {
            tokensAreReady = false
            problems.append(error.description)
        }
        let isReady = registryIsReady && tokensAreReady && keys.canSign
        let members: JSONValue = [
            "status": isReady ? "ready" : "unavailable",
            "registry": registryIsReady ? "ok" : "unavailable",
            "signing_keys": .string(keys.text),
            "token_store": tokensAreReady ? "ok" : "unavailable",
        ]
        var answer = response(isReady ? 200 : 503, members)
        if !isReady { answer.fields.append(HTTPField("Retry-After", "1")) }
        return Answer(
            answer, outcome: isReady ? "ready" : "unavailable",
            detail: problems.isEmpty ? nil : problems.joined(separator: "; "))
    }

    /// Whether tokens can be signed: `outdated` where the keys cannot be read now and those of earlier are used.
    private static func keyState(_ worker: Worker) -> (text: String, canSign: Bool, problem: String?) {
        let trouble = worker.registry.signingKeyTrouble?.description
        if worker.keys.signingKeyIsMissing(at: worker.clock()) {
            return ("unavailable", false, trouble ?? "there is no signing key")
        }
        return (trouble == nil ? "ok" : "outdated", true, trouble)
    }

    private static func response(_ status: Int, _ members: JSONValue) -> HTTPResponse {
        HTTPResponse(status: status, fields: CommonFields.uncachedJSON, body: JSON.serialize(members))
    }
}
