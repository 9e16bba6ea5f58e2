/// The open connections of a server, and how many each address has.
struct ConnectionTable {
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var countByAddress: [String: Int] = [:]

    var count: Int { connections.count }
    var isEmpty: Bool { connections.isEmpty }

    /// Whether one more connection from an address is within the limits.
    func hasRoom(for address: String, _ limits: HTTPServerConfiguration) -> Bool {
        connections.count < limits.maximumConnections
            && countByAddress[address, default: 0] < limits.maximumConnectionsPerAddress
    }

    mutating func insert(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        countByAddress[connection.address, default: 0] += 1
    }

    mutating func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        let left = countByAddress[connection.address, default: 1] - 1
        countByAddress[connection.address] = left > 0 ? left : nil
    }

    /// Ends the phases that have lasted too long: a handler is answered for, a slow sender is told so.
    /// - Parameter answer: makes the answers.
    func sweep(at now: Int64, isPlain: Bool, answer: (HTTPRefusal) -> HTTPResponse) {
        for connection in connections.values {
            if connection.mustLookForEnd { connection.endIfPeerDid() }
            guard connection.deadline < now else { continue }
            switch connection.phase {
            case .handling:
                connection.exchange?.finish(instead: answer)
            case .receiving:
                let last = answer(.late(from: connection.address))
                if isPlain { connection.sendLastWord(Answers.bytes(last, phrase: "Request Timeout")) }
                connection.end()
            case .idle, .sending:
                connection.end()
            }
        }
    }

    /// Ends connections that wait for a request.
    /// - Parameter alsoNew: whether also those on which none has begun.
    func endIdle(alsoNew: Bool) {
        for connection in connections.values where connection.phase == .idle {
            if alsoNew || !connection.isFirst { connection.endUnlessBytesWait() }
        }
    }

    /// Answers for every handler that still runs.
    /// - Parameter answer: makes the answers.
    func answerForAll(_ answer: (HTTPRefusal) -> HTTPResponse) {
        for connection in connections.values { connection.exchange?.finish(instead: answer) }
    }
}
