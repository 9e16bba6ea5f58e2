internal import Glibc

/// Waits until something can be read, or the end was reached; a pipe that nobody writes into must not hold up a server
/// for ever.
/// - Returns: false after five seconds, with `errno` set.
package func waitForContent(of descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 5000) == 0 else { return true }
    errno = ETIMEDOUT
    return false
}
