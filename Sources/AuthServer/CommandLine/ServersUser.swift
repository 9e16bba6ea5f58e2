/// The user that the server runs as, whose files commands use.
enum ServersUser {
    /// What helps where the system refuses a file, which may be kept from others on purpose.
    /// - Parameter reason: why that user, as the end of a sentence.
    static func hint(_ reason: String) -> String {
        "run the command as the server's user, \(reason): sudo -u authserver authserver …"
    }
}
