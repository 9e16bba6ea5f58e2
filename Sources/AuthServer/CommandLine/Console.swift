/// What a command reads from and prints to.
///
/// Rules of output: results go to standard output, everything meant for a person's eyes beside them to
/// standard error. Tables and colours are for terminals only; a pipe gets one line a record with tabs.
protocol Console: AnyObject {
    /// Whether a person types what is read.
    var inputIsTerminal: Bool { get }
    /// Whether a person reads the result.
    var outputIsTerminal: Bool { get }
    /// Whether a person reads the messages.
    var errorIsTerminal: Bool { get }

    /// Reads all input, but at most `limit` bytes; nil when there is more or it cannot be read.
    func readAll(limit: Int) -> [UInt8]?
    /// Reads one line, without its end.
    func readLine() -> [UInt8]?
    /// Asks a question on a terminal and reads one line, without its end and without showing what is typed; nil when it
    /// cannot be read.
    /// - Throws: a refusal when another command asks there.
    func readHiddenLine(_ question: String) throws(CommandError) -> [UInt8]?
    /// Writes a result; false when it could not be written, for example because the disk is full.
    func write(_ text: String) -> Bool
    /// Writes a message.
    func writeMessage(_ text: String)
}
