/// A book of the catalog.
struct Book: Codable, Sendable, Equatable {
    let id: Int64
    let title: String
    let description: String
}
