import AuthStore
import OAuth
import Testing

/// What every token store does, whatever it keeps tokens in.
@Suite struct TokenStoreTests {
    @Test("A token is active once it was recorded, also for another process", arguments: TokenStoreKind.all)
    func record(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let token = StoredToken.make(expiresAt: fixture.second + 60)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
            try await fixture.store.record(token)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .active)
            #expect(try await fixture.other.status(of: token.tokenID, client: "gateway") == .active)
        }
    }

    @Test("A second token does not end the first (T28)", arguments: TokenStoreKind.all)
    func secondToken(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let tokens = (0..<3).map { _ in StoredToken.make(expiresAt: fixture.second + 60) }
            for token in tokens { try await fixture.store.record(token) }
            for token in tokens {
                #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .active)
            }
        }
    }

    @Test(
        "A revoked token is inactive at once, everywhere, and no other is (R4)", arguments: TokenStoreKind.all
    )
    func revoke(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let revoked = StoredToken.make(expiresAt: fixture.second + 60)
            let kept = StoredToken.make(expiresAt: fixture.second + 60)
            try await fixture.store.record(revoked)
            try await fixture.store.record(kept)
            try await fixture.store.revoke(revoked.tokenID)
            #expect(try await fixture.store.status(of: revoked.tokenID, client: "gateway") == .inactive)
            #expect(try await fixture.other.status(of: revoked.tokenID, client: "gateway") == .inactive)
            #expect(try await fixture.store.status(of: kept.tokenID, client: "gateway") == .active)
        }
    }

    @Test(
        "A token is found and revoked with its exp and without, and not with another",
        arguments: TokenStoreKind.all)
    func end(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let tokens = (1...40).map { StoredToken.make(expiresAt: fixture.second + 60 + Int64($0 % 7)) }
            for token in tokens { try await fixture.store.record(token) }
            for token in tokens {
                let (id, end) = (token.tokenID, token.expiresAt)
                #expect(try await fixture.store.status(of: id, client: "gateway", expiringAt: end) == .active)
                #expect(try await fixture.store.status(of: id, client: "gateway", expiringAt: nil) == .active)
            }
            for (index, token) in tokens.enumerated() {
                let (id, end) = (token.tokenID, token.expiresAt)
                try await fixture.store.revoke(id, expiringAt: index % 2 == 0 ? end : nil)
                #expect(
                    try await fixture.store.status(of: id, client: "gateway", expiringAt: end) == .inactive)
                #expect(
                    try await fixture.store.status(of: id, client: "gateway", expiringAt: nil) == .inactive)
            }
        }
    }

    @Test("Revoking an unknown token, or one twice, is no error (R1)", arguments: TokenStoreKind.all)
    func revokeTwice(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let token = StoredToken.make(expiresAt: fixture.second + 60)
            try await fixture.store.revoke(token.tokenID)
            try await fixture.store.record(token)
            try await fixture.store.revoke(token.tokenID)
            try await fixture.store.revoke(token.tokenID)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
        }
    }

    @Test("A token revoked right after it was recorded stays revoked (C13)", arguments: TokenStoreKind.all)
    func revokeAtOnce(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            for _ in 0..<200 {
                let token = StoredToken.make(expiresAt: fixture.second + 60)
                try await fixture.store.record(token)
                try await fixture.other.revoke(token.tokenID)
                #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
            }
        }
    }

    @Test("A token is inactive from the second of its exp on (C15)", arguments: TokenStoreKind.all)
    func expiry(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let token = StoredToken.make(expiresAt: fixture.second + 2)
            let longer = StoredToken.make(expiresAt: fixture.second + 600)
            try await fixture.store.record(token)
            try await fixture.store.record(longer)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .active)
            try await fixture.elapse(2)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
            #expect(try await fixture.store.status(of: longer.tokenID, client: "gateway") == .active)
        }
    }

    @Test("A token that expired before it was recorded is never active", arguments: TokenStoreKind.all)
    func expiredBefore(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            for age: Int64 in [0, 1, 1000] {
                let token = StoredToken.make(expiresAt: fixture.second - age)
                try await fixture.store.record(token)
                #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
            }
        }
    }

    @Test(
        "Revoking a client ends what was issued up to that moment and nothing later",
        arguments: TokenStoreKind.all)
    func revokeClient(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let moment = fixture.second * 1000
            let tokens = [-1000, -1, 0, 1, 1000].map { offset in
                StoredToken.make(issuedAt: moment + offset, expiresAt: fixture.second + 60)
            }
            for token in tokens { try await fixture.store.record(token) }
            try await fixture.store.revokeAll(of: "gateway", at: moment, keepFor: 60)
            var statuses: [TokenStatus] = []
            for token in tokens {
                statuses.append(try await fixture.other.status(of: token.tokenID, client: "gateway"))
            }
            #expect(statuses == [.inactive, .inactive, .inactive, .active, .active])
        }
    }

    @Test(
        "A token recorded after its client's revocation but issued before is inactive",
        arguments: TokenStoreKind.all)
    func lateRecord(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let moment = fixture.second * 1000
            try await fixture.store.revokeAll(of: "gateway", at: moment, keepFor: 60)
            let token = StoredToken.make(issuedAt: moment - 5, expiresAt: fixture.second + 60)
            try await fixture.store.record(token)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
        }
    }

    @Test("An earlier revocation never replaces a later one", arguments: TokenStoreKind.all)
    func earlierRevocation(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let moment = fixture.second * 1000
            let token = StoredToken.make(issuedAt: moment, expiresAt: fixture.second + 60)
            try await fixture.store.record(token)
            try await fixture.store.revokeAll(of: "gateway", at: moment + 10, keepFor: 60)
            try await fixture.other.revokeAll(of: "gateway", at: moment - 10, keepFor: 60)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
        }
    }

    @Test("A revocation concerns one client, also among ids that look alike", arguments: TokenStoreKind.all)
    func otherClients(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let clients: [ClientID] = [
                "gateway", "gateway:", "gateway ", "Gateway", "t:gateway", "gäteway", "%00", "*",
            ]
            let moment = fixture.second * 1000
            var tokens: [StoredToken] = []
            for client in clients {
                let token = StoredToken.make(client: client, issuedAt: moment, expiresAt: fixture.second + 60)
                try await fixture.store.record(token)
                tokens.append(token)
            }
            try await fixture.store.revokeAll(of: clients[0], at: moment, keepFor: 60)
            for token in tokens {
                let expected = token.clientID == clients[0] ? TokenStatus.inactive : .active
                #expect(try await fixture.store.status(of: token.tokenID, client: token.clientID) == expected)
            }
        }
    }

    @Test("A revocation lasts as long as the longest token", arguments: TokenStoreKind.all)
    func revocationLasts(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let token = StoredToken.make(issuedAt: fixture.second * 1000, expiresAt: fixture.second + 600)
            try await fixture.store.record(token)
            try await fixture.store.revokeAll(of: "gateway", at: fixture.second * 1000 + 999, keepFor: 600)
            try await fixture.elapse(3)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .inactive)
        }
    }

    @Test("A thousand records at once all succeed (B20, B22)", arguments: TokenStoreKind.all)
    func concurrent(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            let tokens = (0..<1000).map { _ in StoredToken.make(expiresAt: fixture.second + 60) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for token in tokens { group.addTask { try await fixture.store.record(token) } }
                try await group.waitForAll()
            }
            for token in tokens {
                #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .active)
            }
        }
    }

    @Test("A ping is answered", arguments: TokenStoreKind.all)
    func ping(kind: TokenStoreKind) async throws {
        try await kind.use { fixture in
            try await fixture.store.ping()
            try await fixture.other.ping()
        }
    }
}
