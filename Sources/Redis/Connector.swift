internal import EventLoop

/// Makes a connection that is ready for commands: looks the host up, tries its addresses one after another, and
/// says the greeting, all within one deadline. Used again and again, one attempt at a time; confined to its loop.
final class Connector {
    typealias Completion = (Result<HiredisContext, RedisError>) -> Void

    private let loop: EventLoop
    private let configuration: RedisConfiguration
    /// Of the attempt that runs; nil between attempts.
    private var completion: Completion?
    private var deadline: Timer?
    private var addresses: [String] = []
    private var isLookingUp = false
    private var lookUps = 0
    private var context: HiredisContext?
    private var greeting: Greeting
    private var reading: DescriptorWatch?
    private var writing: DescriptorWatch?

    init(loop: EventLoop, configuration: RedisConfiguration) {
        self.loop = loop
        self.configuration = configuration
        greeting = Greeting(configuration)
    }

    /// Begins an attempt; `completion` is called once, unless it is cancelled.
    func attempt(_ completion: @escaping Completion) {
        self.completion = completion
        greeting = Greeting(configuration)
        deadline = Timer(loop: loop, after: configuration.commandDeadline) { [unowned self] in
            let step = addresses.isEmpty && context == nil ? "its host name was not found" : "no connection"
            finish(.failure(.unavailable("\(step) in time")))
        }
        switch configuration.endpoint {
        case .unix(let path):
            tryAddresses([path])
        case .tcp(let host, _) where AddressResolver.isNumeric(host):
            tryAddresses([host])
        case .tcp(let host, _):
            lookUp(host)
        }
    }

    /// Ends the attempt that runs without a word.
    func cancel() {
        completion = nil
        deadline = nil
        release()
    }

    private func finish(_ result: Result<HiredisContext, RedisError>) {
        let completion = completion
        cancel()
        completion?(result)
    }

    /// The watches end before the descriptor is closed or given on.
    private func release() {
        reading = nil
        writing = nil
        context = nil
        addresses = []
    }

    // MARK: - Steps

    /// At most one look-up at a time: one that outlives its attempt serves a later one.
    private func lookUp(_ host: String) {
        guard !isLookingUp else { return }
        isLookingUp = true
        let (loop, bound) = (loop, LoopBound(self, loop: loop))
        AddressResolver.resolve(host) { result in
            loop.execute { bound.value.lookedUp(result) }
        }
    }

    private func lookedUp(_ result: Result<[String], RedisError>) {
        isLookingUp = false
        guard completion != nil else { return }
        switch result {
        case .success(let found) where !found.isEmpty:
            // Another one first at each attempt: one that swallows packets must not hide the others.
            let shift = lookUps % found.count
            lookUps += 1
            tryAddresses(Array(found[shift...] + found[..<shift]))
        case .success:
            finish(.failure(.unavailable("its host has no address")))
        case .failure(let error):
            finish(.failure(error))
        }
    }

    private func tryAddresses(_ addresses: [String]) {
        self.addresses = addresses
        tryNext(after: .unavailable("its host has no address"))
    }

    private func tryNext(after error: RedisError) {
        writing = nil
        context = nil
        guard !addresses.isEmpty else { return finish(.failure(error)) }
        do throws(RedisError) {
            let context = try HiredisContext(configuration.endpoint, address: addresses.removeFirst())
            self.context = context
            writing = DescriptorWatch(loop: loop, descriptor: context.descriptor, for: .writing) {
                [unowned self] in connected(context)
            }
        } catch {
            tryNext(after: error)
        }
    }

    private func connected(_ context: HiredisContext) {
        do throws(RedisError) {
            try context.finishConnecting()
        } catch {
            return tryNext(after: error)
        }
        writing = nil
        reading = DescriptorWatch(loop: loop, descriptor: context.descriptor) { [unowned self] in
            receive(context)
        }
        do throws(RedisError) {
            try context.append(greeting.bytes)
            // It is far smaller than the buffer of a new socket.
            guard try context.write() else { throw .unavailable("it takes no greeting") }
        } catch {
            finish(.failure(error))
        }
    }

    private func receive(_ context: HiredisContext) {
        do throws(RedisError) {
            try context.read()
            while let reply = try context.nextReply() {
                switch greeting.take(reply) {
                case .more: continue
                case .done: return finish(.success(context))
                case .failed(let error): throw error
                }
            }
        } catch {
            finish(.failure(error))
        }
    }
}
