internal import JOSE

/// What `serve --print-config` shows: each setting, its value in force, and where that is from.
struct PrintedConfiguration {
    private struct Line {
        let setting: Setting
        let value: String
        let origin: SettingOrigin
    }

    private let lines: [Line]

    /// The settings in force; a value that cannot be read is shown as it was given.
    init(_ settings: ResolvedSettings) {
        lines = Setting.allCases.map { setting in
            guard let given = settings[setting] else {
                return Line(setting: setting, value: setting.absence, origin: .preset)
            }
            let text = setting == .redis ? RedisURL.redacted(given.text) : given.text
            return Line(setting: setting, value: text, origin: given.origin)
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
                    line.setting.key, .members([("value", .string(line.value)), ("from", .string(origin))])
                )
            })
    }
}
