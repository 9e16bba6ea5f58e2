import AuthStore
import OpenSSLCrypto

/// The certificate that TLS is served with, and what its clients would not accept in it. None of that hinders a start:
/// clocks differ, and a proxy in front may accept more.
struct ServedCertificate: Sendable {
    private let certificate: TLSFile
    private let key: TLSFile
    /// The server's own certificate and those that vouch for it.
    private let chain: [Certificate]

    /// The certificate and its key, which can be served.
    init(certificate: TLSFile, key: TLSFile) {
        self.certificate = certificate
        self.key = key
        chain = Certificate.chain(pem: certificate.content) ?? []
    }

    /// When the first of the chain ends, in seconds since 1970.
    var end: Int64? { chain.map(\.lastSecond).min() }

    /// How long before its end a certificate is spoken of, in days.
    static let daysAhead: Int64 = 14

    /// What an administrator has to see to, a sentence each; none where all is well.
    func concerns(for issuer: Issuer, at now: Milliseconds) -> [String] {
        var concerns = chain.indices.compactMap { validity(chain[$0], name: name($0), second: now / 1000) }
        // With an http issuer it is a proxy that connects here, by a name of its own.
        if issuer.isHTTPS, let own = chain.first, !own.covers(issuer.host) {
            concerns.append("\(certificate.name) does not cover \(issuer.host), the host of the issuer")
        }
        if key.isReadableByAll {
            concerns.append(
                "\(key.name) can be read by every user of this machine: "
                    + "run chmod o= \(ShellWord.quoted(key.path))")
        }
        return concerns
    }

    private func name(_ index: Int) -> String {
        index == 0
            ? certificate.name
            : "certificate number \(index + 1) in \(Printable.text(certificate.path))"
    }

    private func validity(_ certificate: Certificate, name: String, second: Int64) -> String? {
        let (first, last) = (Self.day(certificate.firstSecond), Self.day(certificate.lastSecond))
        guard second <= certificate.lastSecond else { return "\(name) ended on \(last)" }
        guard second >= certificate.firstSecond else { return "\(name) is not valid before \(first)" }
        let days = (certificate.lastSecond - second) / 86_400
        switch days {
        case 0: return "\(name) ends within a day, on \(last)"
        case 1: return "\(name) ends in 1 day, on \(last)"
        case ..<Self.daysAhead: return "\(name) ends in \(days) days, on \(last)"
        default: return nil
        }
    }

    private static func day(_ second: Int64) -> String { String(TimeText.text(second * 1000).prefix(10)) }
}
