/// Where a setting's value is from.
enum SettingOrigin: Sendable, Hashable {
    case flag
    case environment
    case file(String)
    case preset

    /// The origin of `setting`, as `--print-config` shows it.
    func description(of setting: Setting) -> String {
        switch self {
        case .flag: "flag \(setting.flag.spelling)"
        case .environment: "environment \(setting.variable)"
        case .file(let path): "file \(path)"
        case .preset: "default"
        }
    }

    /// How an error names a setting that has this origin.
    func name(of setting: Setting) -> String {
        switch self {
        case .flag, .preset: setting.flag.spelling
        case .environment: setting.variable
        case .file(let path): "\(setting.key) in \(Printable.text(path))"
        }
    }
}

/// The settings as texts, each with its origin: flags over variables over the file.
struct ResolvedSettings: Sendable {
    /// A setting's text.
    struct Value: Sendable, Hashable {
        let text: String
        let origin: SettingOrigin
    }

    private var values: [Setting: Value]

    /// The presets alone.
    init() {
        values = [:]
        for setting in Setting.allCases {
            values[setting] = setting.preset.map { Value(text: $0, origin: .preset) }
        }
    }

    /// The value of a setting, if it is given anywhere or has a preset.
    subscript(setting: Setting) -> Value? {
        get { values[setting] }
        set { values[setting] = newValue }
    }

    /// An error about a setting's value, which names the place that it is from.
    func error(_ setting: Setting, _ message: String, hint: String? = nil) -> CommandError {
        let origin = values[setting]?.origin ?? .preset
        let code: CommandError.Code = origin == .flag ? .usage : .configuration
        return CommandError(code, "\(origin.name(of: setting)): \(message)", hint: hint)
    }

    /// Reads a setting that is given or has a preset.
    func value<Result>(
        _ setting: Setting, expecting expectation: String, parse: (String) -> Result?
    ) throws(CommandError) -> Result {
        guard let given = values[setting] else {
            throw error(setting, "a value is needed", hint: expectation)
        }
        guard let result = parse(given.text) else {
            throw error(setting, "\(Printable.quoted(given.text)) is not possible", hint: expectation)
        }
        return result
    }

    /// A whole number in `range`.
    func integer(_ setting: Setting, in range: ClosedRange<Int>) throws(CommandError) -> Int {
        let expectation = "write a number from \(range.lowerBound) to \(range.upperBound)"
        return try value(setting, expecting: expectation) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Seconds in `range`.
    func seconds(_ setting: Setting, in range: ClosedRange<Int64>) throws(CommandError) -> Int64 {
        let bounds = [range.lowerBound, range.upperBound].map(DurationText.text)
        let expectation = "\(DurationText.expectation), from \(bounds[0]) to \(bounds[1])"
        return try value(setting, expecting: expectation) { text in
            DurationText.seconds(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// On or off.
    func toggle(_ setting: Setting) throws(CommandError) -> Bool {
        try value(setting, expecting: "write true or false") { text in
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0", "": false
            default: nil
            }
        }
    }

    /// A text that is not empty; nil where it is not given.
    func text(_ setting: Setting) throws(CommandError) -> String? {
        guard let given = values[setting]?.text else { return nil }
        guard !given.isEmpty else {
            throw error(setting, "the value is empty", hint: "leave it out, or name one")
        }
        return given
    }
}
