import Foundation
import OutboundHTTP

@testable import AuthServer

extension FuzzTarget {
    private static let tokenEndpoint: EndpointURL = {
        guard let url = try? EndpointURL("https://auth.example/oauth/token") else { fatalError("no URL") }
        return url
    }()

    /// Form bodies (RFC 6749 appendix B): as the server reads them, and as clients write them.
    static let formBody = FuzzTarget(name: "form-body") { input in
        checkReading(input)
        checkWriting(input)
    }

    /// What is read is what Foundation's decoding says.
    private static func checkReading(_ body: [UInt8]) {
        guard let parameters = try? FormParameters(parsing: body) else { return }
        let pairs = body.split(separator: UInt8(ascii: "&")).map { pair in
            pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        }
        demand(pairs.count { !$0[0].isEmpty } <= FormParameters.maximumCount, "too many parameters are taken")
        var values: [String: [String]] = [:]
        for pair in pairs {
            let (name, value) = (decoded(pair[0]), pair.count > 1 ? decoded(pair[1]) : "")
            demand(!name.utf8.contains(0) && !value.utf8.contains(0), "a NUL is taken")
            if !value.isEmpty { values[name, default: []].append(value) }
        }
        for (name, values) in values where !name.isEmpty {
            demand(parameters.values(name) == values, "\(name.debugDescription) has other values")
            demand(values.count == 1 || name == "resource", "\(name.debugDescription) is taken twice")
        }
    }

    private static func decoded(_ text: some Sequence<UInt8>) -> String {
        // A character may stand half as it is and half encoded.
        let ascii = text.map { byte in
            byte == UInt8(ascii: "+")
                ? " " : byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16)
        }
        guard let text = ascii.joined().removingPercentEncoding else {
            fatalError("a malformed encoding is taken")
        }
        return text
    }

    /// What a client writes the server reads.
    private static func checkWriting(_ input: [UInt8]) {
        let texts = input.texts(separatedBy: 0).prefix(FormParameters.maximumCount)
        let pairs = texts.enumerated().map { (name: "n\($0)", value: $1) }
        let body = OutboundRequest.post(tokenEndpoint, form: pairs).body
        guard let parameters = try? FormParameters(parsing: body) else {
            fatalError("the server does not read what a client writes")
        }
        for pair in pairs {
            demand((parameters[pair.name] ?? "").isSame(as: pair.value), "a value changes on its way")
        }
    }
}
