/// When each signing key signs and is published, decided from their times alone.
///
/// One key signs at a time: the newest that is active. It stays published until the last token that it signed
/// has ended, however short the lifetimes became since.
public struct KeySchedule: Sendable, Hashable {
    /// Where a key stands at a moment.
    public enum Status: Sendable, Hashable {
        /// Published, and signs from a later moment on.
        case pending(activatesAt: Milliseconds)
        /// Published, and signs.
        case signing
        /// Signs no more, and stays published until its last token has ended.
        case superseded(publishedUntil: Milliseconds)
        /// Neither signs nor is published any more.
        case ended
        /// Was taken out of use before its time.
        case retired
    }

    /// How long after the end of its last token a key is still published, in seconds: for clocks that differ and
    /// for servers that could not read the registry at the moment of a rotation.
    public static let margin: Int64 = 300

    /// The keys, the first to sign first.
    public let keys: [SigningKeyDetail]
    private let longestTokenLifetime: Int64

    /// A schedule of these keys.
    /// - Parameters:
    ///   - keys: in the order in which they were made.
    ///   - longestTokenLifetime: in seconds; the longest that any token was issued with.
    public init(keys: [SigningKeyDetail], longestTokenLifetime: Int64) {
        // Of two that are active from the same moment on, the one made later is the newer.
        self.keys = keys.enumerated().sorted {
            ($0.element.activatesAt, $0.offset) < ($1.element.activatesAt, $1.offset)
        }.map(\.element)
        self.longestTokenLifetime = longestTokenLifetime
    }

    /// The key that signs at a moment: the newest active one that is not retired; the first where none is active
    /// yet, because the clock was set back.
    public func signing(at now: Milliseconds) -> SigningKeyDetail? {
        keys.last { $0.activatesAt <= now && $0.retiredAt == nil } ?? keys.first { $0.retiredAt == nil }
    }

    /// The keys that have not begun to sign at a moment, and will.
    public func waiting(at now: Milliseconds) -> [SigningKeyDetail] {
        let signing = signing(at: now)
        return keys.filter { $0.activatesAt > now && $0.retiredAt == nil && $0 != signing }
    }

    /// The keys that are published at a moment: those that sign or will, and those of which a token may live.
    public func published(at now: Milliseconds) -> [SigningKeyDetail] {
        keys.filter { key in
            guard key.retiredAt == nil else { return false }
            return publishedUntil(key).map { now < $0 } ?? true
        }
    }

    /// Where a key of this schedule stands.
    public func status(of key: SigningKeyDetail, at now: Milliseconds) -> Status {
        if key.retiredAt != nil { return .retired }
        if signing(at: now) == key { return .signing }
        if key.activatesAt > now { return .pending(activatesAt: key.activatesAt) }
        guard let end = publishedUntil(key) else { return .signing }
        return now < end ? .superseded(publishedUntil: end) : .ended
    }

    /// When a key's last token has ended; nil while no other takes its place.
    private func publishedUntil(_ key: SigningKeyDetail) -> Milliseconds? {
        guard let index = keys.firstIndex(of: key),
            let successor = keys[(index + 1)...].first(where: { $0.retiredAt == nil })
        else { return nil }
        return successor.activatesAt + (longestTokenLifetime + Self.margin) * 1000
    }
}
