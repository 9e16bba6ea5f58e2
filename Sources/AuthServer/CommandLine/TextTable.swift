/// Records for a person or a pipe: aligned columns under a heading on a terminal, tab-separated lines elsewhere.
struct TextTable {
    /// The column headings.
    let columns: [String]
    /// The records; each has as many cells as there are columns.
    private(set) var rows: [[String]] = []

    init(_ columns: String...) { self.columns = columns }

    /// Adds a record; an empty cell is shown as `-` so that fields can be counted.
    mutating func add(_ cells: String...) {
        rows.append(cells.map { $0.isEmpty ? "-" : Printable.text($0) })
    }

    /// The lines, each ended by a newline.
    func text(forTerminal: Bool, style: TerminalStyle) -> String {
        guard forTerminal else { return rows.map { $0.joined(separator: "\t") + "\n" }.joined() }
        let widths = columns.indices.map { column in
            max(columns[column].count, rows.map { $0[column].count }.max() ?? 0)
        }
        let heading = style.bold(Self.line(columns, widths: widths))
        return ([heading] + rows.map { Self.line($0, widths: widths) }).map { $0 + "\n" }.joined()
    }

    private static func line(_ cells: [String], widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - cell.count))
        }
        let text = padded.joined(separator: "  ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}

/// Colours, where the reader is a terminal that wants them (https://no-color.org).
struct TerminalStyle: Sendable {
    /// Whether escape sequences are written at all.
    let isEnabled: Bool

    init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isEnabled = isTerminal && !isUnwanted
    }

    func bold(_ text: String) -> String { wrap(text, code: "1") }

    func red(_ text: String) -> String { wrap(text, code: "1;31") }

    private func wrap(_ text: String, code: String) -> String {
        isEnabled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
