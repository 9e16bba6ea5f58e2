/// A dictionary that forgets what was not used lately: when half of its room is filled anew, what neither came
/// nor was asked for since is dropped. Constant time, and never more than `capacity` entries.
struct BoundedCache<Key: Hashable, Value> {
    private let half: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(capacity: Int) {
        half = max(1, capacity / 2)
    }

    var count: Int { recent.count + older.count }

    subscript(key: Key) -> Value? {
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
