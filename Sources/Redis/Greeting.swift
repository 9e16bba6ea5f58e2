/// What is said on a new connection before any command: who we are, which database, our name.
struct Greeting {
    private enum Step {
        case authenticate
        case select
        case name
    }

    /// What a reply means.
    enum Outcome: Equatable {
        case more
        case done
        case failed(RedisError)
    }

    /// The commands, to be sent in one go.
    let bytes: [UInt8]
    private var steps: [Step] = []
    private let password: String?

    init(_ configuration: RedisConfiguration) {
        var commands: [RedisCommand] = []
        if let credentials = configuration.credentials {
            steps.append(.authenticate)
            let password = RedisCommand.Argument.text(credentials.password)
            commands.append(
                credentials.user.map { RedisCommand("AUTH", .text($0), password) }
                    ?? RedisCommand("AUTH", password))
        }
        if configuration.database != 0 {
            steps.append(.select)
            commands.append(RedisCommand("SELECT", .integer(Int64(configuration.database))))
        }
        steps.append(.name)
        commands.append(RedisCommand("CLIENT", "SETNAME", .text(configuration.connectionName)))
        bytes = commands.flatMap(\.bytes)
        password = configuration.credentials?.password
    }

    /// Takes the next reply; after the last step the connection is ready.
    mutating func take(_ reply: RedisReply) -> Outcome {
        guard !steps.isEmpty else { return .done }
        let step = steps.removeFirst()
        switch reply {
        case .status("OK"): break
        // The name is for the operator alone: a user that may not set it works without.
        case .error(let text) where step == .name && text.hasPrefix("NOPERM"): break
        case .error(let text): return .failed(failure(text, step))
        default: return .failed(.malformed("an answer to the greeting that is neither OK nor an error"))
        }
        return steps.isEmpty ? .done : .more
    }

    private func failure(_ message: String, _ step: Step) -> RedisError {
        let error = RedisError.refusal(message, hiding: password)
        guard case .refused(let text) = error else { return error }
        if text.hasPrefix("NOAUTH") {
            return .refused("\(text) Put it into the URL: redis://USER:PASSWORD@HOST")
        }
        return switch step {
        case .authenticate: .refused("\(text) (at AUTH, with the user and password of the Redis URL)")
        case .select: .refused("\(text) (at SELECT, with the database of the Redis URL)")
        case .name: error
        }
    }
}
