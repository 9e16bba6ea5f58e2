internal import JOSE

/// What `serve --print-config` shows: each setting, its value in force, and where that is from.
struct PrintedConfiguration {
    private struct Line {
        let setting: Setting
        let value: String
        let json: JSONValue
        let origin: SettingOrigin
    }

    private let lines: [Line]

    /// The settings in force; a value that cannot be read is shown as it was given.
    init(_ settings: ResolvedSettings) {
        lines = Setting.allCases.map { setting in
            guard let given = settings[setting] ?? Self.derived(setting, settings) else {
                return Line(setting: setting, value: setting.absence, json: .null, origin: .preset)
            }
            let text = Self.shown(given.text, of: setting)
            return Line(
                setting: setting, value: text, json: Self.json(text, of: setting), origin: given.origin)
        }
    }

    /// What is in force where nothing is given, if it is known before the server listens.
    private static func derived(_ setting: Setting, _ settings: ResolvedSettings) -> ResolvedSettings.Value? {
        guard setting == .issuer, let issuer = try? settings.issuerOfTokens() else { return nil }
        return .init(text: issuer.value, origin: .preset)
    }

    private static func shown(_ text: String, of setting: Setting) -> String {
        switch setting {
        case .redis where !text.isEmpty: RedisURL.redacted(text)
        case .database where !text.isEmpty: AbsolutePath.of(text)
        case .jwksMaxAge, .requestDeadline: DurationText.seconds(text).map(DurationText.text) ?? text
        default: text
        }
    }

    /// A value with its type, durations in seconds; as it was given where it cannot be read.
    private static func json(_ text: String, of setting: Setting) -> JSONValue {
        switch setting {
        case .threads, .maxConnections, .maxConnectionsPerAddress, .maxFailures, .maxClientsInMemory:
            Int64(text).map { .integer($0) } ?? .string(text)
        case .jwksMaxAge, .requestDeadline: DurationText.seconds(text).map { .integer($0) } ?? .string(text)
        case _ where setting.isToggle: ["true": true, "false": false][text] ?? .string(text)
        default: .string(text)
        }
    }

    /// One line a setting.
    var table: TextTable {
        var table = TextTable("SETTING", "VALUE", "FROM")
        for line in lines {
            table.add(line.setting.key, line.value, line.origin.description(of: line.setting))
        }
        return table
    }

    /// One member a setting.
    var document: JSONValue {
        .members(
            lines.map { line in
                let origin = line.origin.description(of: line.setting)
                return (
                    line.setting.key, .members([("value", line.json), ("from", .string(origin))])
                )
            })
    }
}
