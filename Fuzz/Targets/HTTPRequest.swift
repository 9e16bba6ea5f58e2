@testable import AuthServer
@testable import HTTP

extension FuzzTarget {
    /// The decisions over a header block (RFC 9112): method, target, version and fields, a line each.
    static let httpRequest = FuzzTarget(name: "http-request") { input in
        let lines = input.texts()
        guard lines.count >= 3 else { return }
        let fields = lines.dropFirst(3).map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPField(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        let limits = HTTPServerConfiguration()
        do throws(Strictness.Refusal) {
            let length = try Strictness.contentLength(
                method: lines[0], target: lines[1], version: lines[2], fields: fields,
                headerBytes: input.count, isWhole: true, limits: limits)
            demand((0...limits.maximumBodyBytes).contains(length), "a body of \(length)")
            checkAccepted(lines, fields, limits)
        } catch {
            demand([400, 411, 413, 431, 505].contains(error.status), "a refusal with \(error.status)")
        }
        checkForwarded(fields)
    }

    /// Nothing that two parsers may read in two ways is accepted.
    private static func checkAccepted(
        _ lines: [String], _ fields: [HTTPField], _ limits: HTTPServerConfiguration
    ) {
        let names = fields.map { $0.name.lowercased() }
        demand(!names.contains("transfer-encoding"), "a transfer coding is accepted")
        let lengths = zip(names, fields).filter { $0.0 == "content-length" }.map(\.1.value)
        demand(lengths.count <= 1, "two lengths are accepted")
        for length in lengths {
            demand(length.allSatisfy { "0123456789".contains($0) }, "\(length.debugDescription) is a length")
            demand((0...limits.maximumBodyBytes).contains(Int(length) ?? -1), "a length beyond the limit")
        }
        let hosts = names.count { $0 == "host" }
        demand(hosts == 1 || (hosts == 0 && lines[2] == "HTTP/1.0"), "\(hosts) hosts are accepted")
        for (name, field) in zip(names, fields) {
            let value = field.value.unicodeScalars
            demand(
                value.allSatisfy { $0 == "\t" || !(0...0x1F).contains($0.value) },
                "a control character in \(name)")
            demand(name != "host" || !value.contains { "/@?#\\ \t".unicodeScalars.contains($0) }, "a host")
        }
        demand(
            lines[1].unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }, "a target is accepted")
        checkTarget(lines[1])
        for name in [lines[0]] + fields.map(\.name) {
            let isToken = name.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789!#$%&'*+-.^_`|~".unicodeScalars.contains($0))
            }
            demand(isToken && !name.isEmpty, "\(name.debugDescription) is a token")
        }
    }

    /// What is in an accepted target before its path is a scheme and a host, and nothing of the rest is lost.
    private static func checkTarget(_ target: String) {
        let (path, query) = RequestTarget.split(target)
        let rest = path + (query.map { "?\($0)" } ?? "")
        demand(path == "*" || path.hasPrefix("/"), "\(path.debugDescription) is a path")
        guard rest != target else { return }
        let parts = target.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        demand(parts.count == 3 && parts[1].isEmpty, "\(target.debugDescription) has an authority")
        demand(
            ["http:", "https:"].contains(parts[0].lowercased()), "\(parts[0].debugDescription) is a scheme")
        let authority = parts[2].prefix { !"/?".contains($0) }
        demand(!authority.isEmpty && !authority.contains { "@#\\".contains($0) }, "an authority is accepted")
        let behind = parts[2].dropFirst(authority.count)
        demand(
            rest == (behind.hasPrefix("/") ? "\(behind)" : "/\(behind)"),
            "\(rest.debugDescription) is the rest")
    }

    /// An address that is taken over is a plain one.
    private static func checkForwarded(_ fields: [HTTPField]) {
        let request = HTTPRequest(method: "GET", path: "/", fields: fields)
        guard let address = RequestHandler.forwardedAddress(of: request) else { return }
        demand(
            address.utf8.count <= 45
                && address.allSatisfy { $0.isASCII && ($0.isHexDigit || ":.".contains($0)) },
            "\(address.debugDescription) is an address")
    }
}
