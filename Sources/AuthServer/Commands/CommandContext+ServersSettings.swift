internal import AuthStore

/// What commands have to do as the server does, which may run with other settings than they were told of.
extension CommandContext {
    /// The issuer of the server's tokens: the one that `serve` noted, else the one that the settings say.
    /// - Throws: a refusal where another one is given: the server would not know the token, or the other way round.
    func issuerOfTokens(_ registry: Registry) throws(CommandError) -> ServersIssuer {
        let noted = try storing { () throws(StoreError) in try registry.server() }?.issuer
        let issuer = try settings.issuerOfTokens(noted: noted)
        return ServersIssuer(issuer: issuer, isGuess: noted == nil && !settings.tellIssuer)
    }
}

/// The issuer of the server's tokens.
struct ServersIssuer {
    /// The issuer.
    let issuer: Issuer
    /// Whether it is that of a server with no settings at all, since no server and nobody said another.
    let isGuess: Bool
}

extension ResolvedSettings {
    /// Whether anybody said what the issuer is, or where a server listens whose issuer follows from that.
    fileprivate var tellIssuer: Bool { self[.issuer] != nil || self[.listen]?.origin != .preset }

    /// The issuer that tokens name: the one that a server noted; without one, that which is given, or that of a
    /// server on this machine.
    /// - Throws: a refusal where another issuer is given than the server's.
    func issuerOfTokens(noted: String?) throws(CommandError) -> Issuer {
        guard let noted else { return try issuerOfTokens() }
        if let given = try issuer() {
            guard given.value == noted else { throw otherIssuer(given, than: noted) }
            return given
        }
        do throws(Issuer.Problem) { return try Issuer(noted) } catch {
            throw CommandError(
                .failed, "the server's issuer \(Printable.quoted(noted)) is none that this version knows",
                hint: "start the server again with this version of authserver")
        }
    }

    private func otherIssuer(_ given: Issuer, than noted: String) -> CommandError {
        let origin = self[.issuer]?.origin.description(of: .issuer) ?? Setting.issuer.variable
        return CommandError(
            .refused, "the server issues tokens as \(noted), and not as \(given.value)",
            hint: "give --issuer \(ShellWord.quoted(noted)), or leave out the other, which is from: \(origin)"
        )
    }
}

/// For how long a new key is published before it signs.
struct KeyPublication: Equatable {
    /// In seconds.
    let seconds: Int64
    /// Whether that is longer than what was asked for, since the server's key set may be kept for longer.
    let isProlonged: Bool

    /// - Parameters:
    ///   - given: seconds, where a flag, a variable or the file says so.
    ///   - kept: seconds for which the server's key set may be kept; nil before a server was started.
    ///   - preset: seconds where neither says anything.
    init(given: Int64?, kept: Int64?, preset: Int64) {
        guard let kept else {
            seconds = given ?? preset
            isProlonged = false
            return
        }
        seconds = max(given ?? kept, kept)
        isProlonged = given.map { $0 < kept } ?? false
    }
}
