internal import SQLite

/// Times in the registry's rows. One that no clock shows is damage: it is taken as the nearest that can be reckoned
/// with, so that whatever a file says an administrator can still disable a client.
extension Statement {
    /// A moment, of the years 1970 to 9999.
    func moment(_ column: Int32) -> Milliseconds {
        min(max(integer(column), 0), 253_402_300_799_999)
    }

    /// A moment that may be missing.
    func optionalMoment(_ column: Int32) -> Milliseconds? { isNull(column) ? nil : moment(column) }

    /// How long a client's tokens live, in seconds: no damage makes that longer than an administrator may.
    func tokenLifetime(_ column: Int32) -> Int64 {
        let range = ClientDraft.tokenLifetimes
        return min(max(integer(column), range.lowerBound), range.upperBound)
    }

    /// A duration in seconds, of ten years at most.
    func seconds(_ column: Int32) -> Int64 { min(max(integer(column), 0), 315_360_000) }
}
