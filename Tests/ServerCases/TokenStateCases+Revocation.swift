internal import HTTP

extension TokenStateCases {
    /// What revocation does.
    static let revocation: [ServerCase] = [
        ServerCase("R4 a revoked token is inactive at once, and another one is not") {
            let token = try await $0.issue()
            let other = try await $0.issue()
            try await $0.revoke(token).has(status: 200).has(body: "")
            try await $0.introspect(token).isInactive()
            try await $0.introspect(other).isActive()
        },
        ServerCase("R1 C7 already revoked") {
            let token = try await $0.issue()
            for _ in 0..<3 { try await $0.revoke(token).has(status: 200).has(body: "") }
            try await $0.introspect(token).isInactive()
        },
        ServerCase("R1 C7 expired") {
            let token = try await $0.issue(to: "brief")
            try await $0.server.wait(until: IssuedToken(token)?.seconds("exp") ?? 0)
            try await $0.revoke(token, by: .basic("brief")).has(status: 200).has(body: "")
        },
        ServerCase("R2 C10 another client's token goes on living") {
            let token = try await $0.issue()
            let answer = try await $0.revoke(token, by: .basic("app")).has(status: 200).has(body: "")
            let unknown = try await $0.revoke("x", by: .basic("app"))
            $0.expect(
                answer.response.fields.filter { $0.name != "Date" }
                    == unknown.response.fields.filter { $0.name != "Date" },
                "a token of another client is answered in another way than garbage")
            try await $0.introspect(token).isActive()
        },
        ServerCase("R2 the owner of the resource cannot revoke it either") {
            let token = try await $0.issue("resource=RESOURCE_ID_BOOK")
            try await $0.revoke(token, by: .basic("book")).has(status: 200)
            try await $0.introspect(token).isActive()
        },
        ServerCase("R4 in the body") {
            let token = try await $0.issue()
            try await $0.revoke(token, by: .post("gateway")).has(status: 200)
            try await $0.introspect(token).isInactive()
        },
    ]

    static let hints: [ServerCase] =
        ["refresh_token", "access_token", "nonsense", ""].map { hint in
            ServerCase("R3 C11 the hint '\(hint)'") {
                let token = try await $0.issue()
                try await $0.revoke(token, more: "&token_type_hint=\(hint)").has(status: 200)
                try await $0.introspect(token).isInactive()
            }
        }

    static let ignored: [ServerCase] = (garbage + notOurs).map { name, make in
        ServerCase("R1 C7 \(name)") {
            try await $0.revoke(try await make($0)).has(status: 200).has(body: "")
        }
    }
}
