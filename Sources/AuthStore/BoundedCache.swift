/// A dictionary that forgets what was not used lately: when half of its room is filled anew, what neither came
/// nor was asked for since is dropped. Constant time, and never more than `capacity` entries.
package struct BoundedCache<Key: Hashable, Value> {
    private let half: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// An empty cache for so many entries.
    package init(capacity: Int) {
        half = max(1, capacity / 2)
    }

    /// How many it has.
    package var count: Int { recent.count + older.count }

    /// What is kept under a key; nil for nothing, and to forget it.
    package subscript(key: Key) -> Value? {
        mutating get {
            if let value = recent[key] { return value }
            guard let value = older.removeValue(forKey: key) else { return nil }
            insert(value, for: key)
            return value
        }
        set {
            older.removeValue(forKey: key)
            if let newValue { insert(newValue, for: key) } else { recent.removeValue(forKey: key) }
        }
    }

    private mutating func insert(_ value: Value, for key: Key) {
        if recent.count >= half, recent[key] == nil {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }
}
