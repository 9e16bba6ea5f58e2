import Foundation

@testable import JOSE

extension FuzzTarget {
    /// JSON text (RFC 8259).
    static let json = FuzzTarget(name: "json") { input in
        let value: JSONValue
        do throws(JSONError) {
            value = try JSON.parse(input)
        } catch {
            demand((0...input.count).contains(error.offset), "the offset \(error.offset) is outside the text")
            return
        }
        let limits = JSON.Limits()
        demand(input.count <= limits.maximumBytes, "a text beyond the limit is accepted")
        demand(depth(of: value) <= limits.maximumDepth, "a text nested beyond the limit is accepted")
        checkSerialization(of: value)
        if !holdsInexactNumbers(value) { checkWithFoundation(input) }
    }

    /// What was read is written, and read again, without a change.
    static func checkSerialization(of value: JSONValue) {
        let written = JSON.serialize(value)
        guard let again = try? JSON.parse(written, limits: .init(maximumBytes: .max)) else {
            fatalError("what was serialized does not parse: \(written.text)")
        }
        demand(again == value, "\(written.text) parses to another value")
        demand(JSON.serialize(again) == written, "\(written.text) is written otherwise the second time")
    }

    /// A parser of others takes all that ours takes.
    private static func checkWithFoundation(_ input: [UInt8]) {
        let theirs = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
        demand(theirs != nil, "Foundation does not take it for JSON")
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    /// Numbers at the end of the range are a matter of taste.
    private static func holdsInexactNumbers(_ value: JSONValue) -> Bool {
        switch value {
        case .number: true
        case .array(let values): values.contains(where: holdsInexactNumbers)
        case .object(let object): object.members.contains { holdsInexactNumbers($0.value) }
        default: false
        }
    }
}
