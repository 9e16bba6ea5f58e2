import Dispatch
import Synchronization

/// Texts out of an input.
extension [UInt8] {
    /// The parts between separators, as texts; bytes that are no UTF-8 become U+FFFD.
    func texts(separatedBy separator: UInt8 = 0x0A) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// All of it as a text.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// Whether both are the same bytes; `==` takes canonically equivalent texts as equal.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// Waits for an asynchronous function, as no product code may.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let box = Mutex<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        box.withLock { $0 = value }
        done.signal()
    }
    done.wait()
    guard let value = box.withLock({ $0 }) else { fatalError("the function has ended without a value") }
    return value
}
