package import HTTP
internal import JOSE

/// One request with its answer; what is expected of the answer is noted in the dialogue when it is not so.
package struct Exchange: Sendable {
    package let request: HTTPRequest
    package let response: HTTPResponse
    let dialogue: Dialogue

    /// The access token of the answer.
    package var token: String? { response.json?["access_token"]?.string }

    private var place: String { "\(request.method) \(request.path)" }

    /// Expects a status.
    @discardableResult
    package func has(status: Int) -> Exchange {
        dialogue.expect(
            response.status == status, "\(place): \(response.status) instead of \(status): \(response.text)")
        return self
    }

    /// Expects one of several statuses.
    @discardableResult
    package func has(statusIn statuses: Set<Int>) -> Exchange {
        dialogue.expect(
            statuses.contains(response.status),
            "\(place): \(response.status), not one of \(statuses.sorted())")
        return self
    }

    /// Expects an error of RFC 6749 §5.2.
    @discardableResult
    package func isError(_ status: Int, _ code: String) -> Exchange {
        has(status: status)
        let error = response.json?["error"]?.string ?? "none"
        dialogue.expect(error == code, "\(place): error \(error) instead of \(code)")
        return self
    }

    /// Expects that the client is refused: 401, `invalid_client`, and a challenge where Basic was used alone.
    @discardableResult
    package func isUnauthenticated() -> Exchange {
        isError(401, "invalid_client")
        let challenge = response.value("www-authenticate")
        if request.value("authorization") == nil {
            dialogue.expect(challenge == nil, "\(place): a challenge to a client that did not use Basic")
        } else {
            dialogue.expect(
                challenge?.hasPrefix("Basic realm=\"") == true, "\(place): no Basic challenge with a realm")
        }
        return self
    }

    /// Expects a body.
    @discardableResult
    package func has(body: String) -> Exchange {
        dialogue.expect(response.text == body, "\(place): the body is \(response.text) instead of \(body)")
        return self
    }

    /// Expects a header field.
    @discardableResult
    package func has(_ name: String, _ value: String) -> Exchange {
        let present = response.value(name.lowercased()) ?? "absent"
        dialogue.expect(present == value, "\(place): \(name) is \(present) instead of \(value)")
        return self
    }

    /// Expects `{"active":false}` and not a byte more (RFC 7662 §2.2).
    @discardableResult
    package func isInactive() -> Exchange { has(status: 200).has(body: #"{"active":false}"#) }

    /// Expects an active token.
    @discardableResult
    package func isActive() -> Exchange {
        has(status: 200)
        dialogue.expect(response.json?["active"] == true, "\(place): not active: \(response.text)")
        return self
    }

    /// Expects the answer of RFC 6749 §5.1 with a token of RFC 9068, for these audiences with these scopes.
    @discardableResult
    package func isToken(for audience: [String], scope: String, lifetime: Int = Scenario.lifetime) -> Exchange
    {
        has(status: 200)
        guard let token, let claims = IssuedToken(token) else {
            dialogue.expect(false, "\(place): there is no token in \(response.text)")
            return self
        }
        let json = response.json
        let expected: [(String, JSONValue?, JSONValue)] = [
            ("token_type", json?["token_type"], "Bearer"),
            ("expires_in", json?["expires_in"], .integer(Int64(lifetime))),
            ("scope", json?["scope"], .string(scope)),
            ("claim scope", claims["scope"], .string(scope)),
            ("claim aud", claims["aud"], IssuedToken.audience(audience)),
            ("claim iss", claims["iss"], .string(dialogue.server.issuer)),
        ]
        for (name, found, wanted) in expected where found != wanted {
            dialogue.expect(false, "\(place): \(name) is \(found.map { "\($0)" } ?? "absent"), not \(wanted)")
        }
        for problem in claims.problems { dialogue.expect(false, "\(place): \(problem)") }
        return self
    }
}
