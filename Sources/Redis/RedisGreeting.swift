/// What is said first on a new connection: login, database, name.
enum RedisGreeting {
    /// A command and how its failure is told; no step's failure holds the password.
    struct Step {
        let command: RedisCommand
        let failure: String?

        /// Checks the reply to this step.
        /// - Throws: `refused` where the step matters and failed.
        func check(_ reply: RedisReply) throws(RedisError) {
            guard case .error(let text) = reply, let failure else { return }
            throw .refused("\(text.prefix { $0 != " " }.prefix(32)) (\(failure))")
        }
    }

    static func steps(_ configuration: RedisConfiguration) -> [Step] {
        var steps: [Step] = []
        if let password = configuration.password {
            let arguments = ["AUTH"] + (configuration.user.map { [$0] } ?? []) + [password]
            steps.append(
                Step(command: RedisCommand(arguments), failure: "check the user and password in its URL"))
        }
        if configuration.database != 0 {
            steps.append(
                Step(
                    command: RedisCommand("SELECT", String(configuration.database)),
                    failure: "check the database number in its URL"))
        }
        // Last, and whatever its reply: that it comes shows that the server speaks, and takes commands from us.
        steps.append(Step(command: RedisCommand("CLIENT", "SETNAME", "authserver"), failure: nil))
        steps.append(Step(command: RedisCommand("PING"), failure: "the server takes no commands from us"))
        return steps
    }
}
