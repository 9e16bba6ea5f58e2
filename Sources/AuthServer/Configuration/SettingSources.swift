/// The three places that settings are read from. Sendable, so that a running server can read them again.
struct SettingSources: Sendable {
    /// The flags of the command.
    let arguments: Arguments
    /// The environment's variables.
    let environment: [String: String]

    /// Reads all three: a flag wins over a variable, a variable over the file.
    /// - Throws: a configuration error that names a misspelt key or variable and suggests the nearest.
    func resolved() throws(CommandError) -> ResolvedSettings {
        var result = ResolvedSettings()
        if let path = try configurationFile() {
            for (setting, text) in try ConfigurationFile.read(path) {
                result[setting] = .init(text: text, origin: .file(path))
            }
        }
        try checkVariables()
        for setting in Setting.allCases {
            if let text = environment[setting.variable] {
                result[setting] = .init(text: text, origin: .environment)
            }
            if let text = arguments.value(setting.flag) {
                result[setting] = .init(text: text, origin: .flag)
            } else if setting.isToggle, arguments.has(setting.flag) {
                result[setting] = .init(text: "true", origin: .flag)
            }
        }
        return result
    }

    /// The file that the flag names, or else the variable.
    private func configurationFile() throws(CommandError) -> String? {
        let flag = arguments.value(.config)
        guard let path = flag ?? environment[Setting.configVariable] else { return nil }
        guard !path.isEmpty else {
            throw CommandError(
                flag == nil ? .configuration : .usage,
                "\(flag == nil ? Setting.configVariable : Flag.config.spelling): the value is empty",
                hint: "leave it out, or name one")
        }
        return path
    }

    private func checkVariables() throws(CommandError) {
        let known = Setting.allCases.map(\.variable) + [Setting.configVariable]
        let given = environment.keys.filter {
            $0.hasPrefix(Setting.variablePrefix) && !Self.isOfKubernetes($0)
        }
        guard let unknown = given.filter({ !known.contains($0) }).min() else { return }
        // What all begin with would make any two of them look alike.
        let prefix = Setting.variablePrefix
        let nearest = NearestName.nearest(
            to: String(unknown.dropFirst(prefix.count)),
            among: known.map { String($0.dropFirst(prefix.count)) })
        throw CommandError(
            .configuration, "unknown environment variable \(Printable.text(unknown))",
            hint: nearest.map { "did you mean \(prefix)\($0)?" }
                ?? "unset it: authserver serve --help lists the variables")
    }

    /// Whether Kubernetes sets a variable in every pod beside a service that is called `authserver`:
    /// `AUTHSERVER_SERVICE_HOST`, `AUTHSERVER_PORT`, `AUTHSERVER_PORT_8083_TCP_ADDR` and the like.
    private static func isOfKubernetes(_ variable: String) -> Bool {
        variable.wholeMatch(
            of: /AUTHSERVER_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP|SCTP).*)?)/) != nil
    }
}
