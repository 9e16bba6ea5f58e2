internal import CCurl
internal import Glibc

/// What the transfer thread does: it takes transfers up, ends those that nobody waits for, and answers the others.
/// Confined to that thread.
final class TransferLoop {
    /// The transfers of one client.
    private struct Lane {
        var active = 0
        var waiting: [Transfer] = []

        /// The one whose turn it is, if it is anybody's.
        mutating func next(maximumActive: Int) -> Transfer? {
            active < maximumActive && !waiting.isEmpty ? waiting.removeFirst() : nil
        }
    }

    private let multi: MultiHandle
    private var active: [UnsafeMutableRawPointer: EasyHandle] = [:]
    private var handles: [ObjectIdentifier: EasyHandle] = [:]
    private var lanes: [ObjectIdentifier: Lane] = [:]

    init(_ multi: MultiHandle) { self.multi = multi }

    /// Takes a command.
    func obey(_ command: TransferThread.Command) {
        switch command {
        case .start(let transfer): enqueue(transfer)
        case .abandon(let transfer): abandon(transfer)
        }
    }

    /// Does what can be done, and waits until there is more.
    func turn() {
        if !multi.perform() { failAll() }
        while let (pointer, code) = multi.nextFinished() {
            guard let handle = active[pointer] else { continue }
            handle.transfer.finish(handle.outcome(code))
            end(handle)
        }
        // Out of memory, at most: to try again at once would be no better.
        if !multi.wait() { usleep(10_000) }
    }

    private func enqueue(_ transfer: Transfer) {
        lanes[ObjectIdentifier(transfer.client), default: Lane()].waiting.append(transfer)
        startWaiting(of: transfer.client)
    }

    private func startWaiting(of client: TransferClient) {
        let key = ObjectIdentifier(client)
        while let transfer = lanes[key]?.next(maximumActive: client.maximumConnections) {
            if begin(transfer) { lanes[key]?.active += 1 }
        }
        if let lane = lanes[key], lane.active == 0, lane.waiting.isEmpty { lanes[key] = nil }
    }

    private func begin(_ transfer: Transfer) -> Bool {
        guard !transfer.isFinished else { return false }
        do throws(TransferError) {
            let handle = try EasyHandle(transfer)
            guard multi.add(handle) else { throw .failed("libcurl takes no request") }
            active[handle.pointer] = handle
            handles[ObjectIdentifier(transfer)] = handle
            return true
        } catch {
            transfer.finish(.failure(error))
            return false
        }
    }

    private func abandon(_ transfer: Transfer) {
        if let handle = handles[ObjectIdentifier(transfer)] {
            handle.isAbandoned = true
            // One that looks a name up ends when that is over: it gets no socket, or no address.
            if !handle.isResolving { end(handle) }
        } else {
            lanes[ObjectIdentifier(transfer.client)]?.waiting.removeAll { $0 === transfer }
        }
    }

    /// Lets go of a transfer, and lets the next one begin.
    private func end(_ handle: EasyHandle) {
        multi.remove(handle)
        active[handle.pointer] = nil
        handles[ObjectIdentifier(handle.transfer)] = nil
        lanes[ObjectIdentifier(handle.transfer.client)]?.active -= 1
        startWaiting(of: handle.transfer.client)
    }

    private func failAll() {
        for handle in Array(active.values) {
            handle.transfer.finish(.failure(.failed("libcurl failed")))
            end(handle)
        }
    }
}
