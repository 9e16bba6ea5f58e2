import OAuth
import TestSupport

@testable import AuthStore

/// A registry in a folder of its own, with the scenario's clients and resources, and a clock that stands still.
final class RegistryFixture {
    let folder: TemporaryDirectory
    let registry: Registry
    /// 2026-01-01T00:00:00Z.
    let start: Milliseconds = 1_767_225_600_000

    var path: String { folder.file("registry.db") }

    init(masterKey: MasterKey? = nil) throws {
        folder = try TemporaryDirectory()
        registry = try Registry(path: folder.file("registry.db"), mode: .create, masterKey: masterKey)
        try registry.migrate(at: start)
    }

    /// Adds `RESOURCE_ID_BOOK` and `RESOURCE_ID_REVIEW` with read and write, and a client.
    func addScenario(client: ClientID = "gateway") throws {
        try registry.addResource("RESOURCE_ID_BOOK", scopes: "read write", at: start)
        try registry.addResource("RESOURCE_ID_REVIEW", scopes: "read write", at: start)
        try registry.addClient(ClientDraft(id: client), at: start)
    }

    func reader(
        capacity: Int = 100, report: @escaping (RegistryTrouble) -> Void = { _ in }
    ) throws -> RegistryReader {
        try RegistryReader(path: path, masterKey: registry.masterKey, capacity: capacity, report: report)
    }
}
