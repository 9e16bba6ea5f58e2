/// A value that belongs to one event loop, to be carried through code that runs on any thread.
///
/// `@unchecked Sendable` is sound: the value is read on the loop's thread alone, which every access checks.
public struct LoopBound<Value>: @unchecked Sendable {
    /// The loop that the value belongs to.
    public let loop: EventLoop
    private let bound: Value

    /// Binds a value that was made on the loop, or before the loop ran, and that nobody else keeps.
    public init(_ value: Value, loop: EventLoop) {
        bound = value
        self.loop = loop
    }

    /// The value; traps when read on another thread than the loop's.
    public var value: Value {
        loop.assertCurrent()
        return bound
    }
}
