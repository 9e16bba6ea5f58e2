internal import Glibc

/// The words of the command line.
package enum ProgramArguments {
    /// A word is no UTF-8, and would be taken as another, such as the name of another file.
    package struct NotUTF8: Error {
        /// The word, as far as it can be shown.
        package let word: String
    }

    /// Reads them, without the program's name.
    package static func read() throws(NotUTF8) -> [String] {
        var words: [String] = []
        for pointer in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
            .dropFirst()
        {
            guard let pointer else { break }
            guard let word = String(validatingCString: pointer) else {
                throw NotUTF8(word: String(cString: pointer))
            }
            words.append(word)
        }
        return words
    }
}
