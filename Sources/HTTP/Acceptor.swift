internal import CMicroHTTPD
internal import EventLoop
internal import Glibc

/// Takes new connections off a listening socket, a bounded number a turn; pauses when descriptors run out.
final class Acceptor {
    private let socket: ListeningSocket
    private let loop: EventLoop
    private let take: (Int32, sockaddr_storage, socklen_t) -> Void
    private var watch: DescriptorWatch?
    private var pause: Timer?

    init(
        loop: EventLoop, socket: ListeningSocket, take: @escaping (Int32, sockaddr_storage, socklen_t) -> Void
    ) {
        self.loop = loop
        self.socket = socket
        self.take = take
        listen()
    }

    private func listen() {
        watch = DescriptorWatch(loop: loop, descriptor: socket.descriptor) { [unowned self] in
            self.acceptSome()
        }
    }

    /// Takes what waits in the socket, a bounded number.
    func acceptSome() {
        for _ in 0..<64 {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = auth_accept(socket.descriptor, &address, &length)
            guard descriptor >= 0 else {
                if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS { rest() }
                return
            }
            take(descriptor, address, length)
        }
    }

    /// No descriptor is left: new connections wait in the backlog while running ones end.
    private func rest() {
        watch = nil
        pause = Timer(loop: loop, after: .milliseconds(100)) { [unowned self] in self.listen() }
    }
}
