internal import AuthStore

/// The secret that a client is about to get: made here and shown once, or brought on standard input.
enum NewSecret: ~Copyable {
    case generated(GeneratedSecret)
    case brought(SecretVerifier)

    static let fromInput = Flag("secret-stdin", .toggle, bringsSecret: true)
    static let allowWeak = Flag("allow-weak-secret", .toggle)
    static let flags = [fromInput, allowWeak]

    /// Makes a secret, or reads the one that `--secret-stdin` announces.
    static func make(_ context: CommandContext) throws(CommandError) -> NewSecret {
        guard context.arguments.has(fromInput) else {
            guard !context.arguments.has(allowWeak) else {
                throw .usage("--allow-weak-secret is for a secret from --secret-stdin")
            }
            return .generated(GeneratedSecret.make())
        }
        return .brought(try read(context))
    }

    /// What the registry keeps of it.
    borrowing func verifier() -> SecretVerifier {
        switch self {
        case .generated(let secret): SecretVerifier(secret)
        case .brought(let verifier): verifier
        }
    }

    /// The secret, where it is to be shown: this once.
    borrowing func revealed() -> String? {
        switch self {
        case .generated(let secret): secret.reveal()
        case .brought: nil
        }
    }

    private static func read(_ context: CommandContext) throws(CommandError) -> SecretVerifier {
        let secret = try input(context.console)
        let allowsWeak = context.arguments.has(allowWeak)
        var hint = "leave out --secret-stdin and a strong one is made"
        do throws(StoreError) {
            _ = try BroughtSecret(secret.span, allowingShort: true)
            hint += "; a short one is taken only with --allow-weak-secret"
            return try SecretVerifier(BroughtSecret(secret.span, allowingShort: allowsWeak))
        } catch {
            throw .usage(CommandError(error).message, hint: hint)
        }
    }

    /// All that is on standard input, without the line end; on a terminal one line that is not shown.
    private static func input(_ console: any Console) throws(CommandError) -> [UInt8] {
        let bytes =
            console.inputIsTerminal
            ? try console.readHiddenLine("client secret (not shown): ") : console.readAll(limit: 4096)
        guard var secret = bytes else {
            throw .usage("no secret can be read from standard input, or it is too long")
        }
        if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
        if secret.last == UInt8(ascii: "\r") { secret.removeLast() }
        return secret
    }
}

extension CommandContext {
    /// Says what one secret that was brought costs all clients: it is checked by scrypt, and so that nobody can tell by
    /// the time which clients there are, a failure takes as long for each.
    func noteBroughtSecret() {
        note(
            "as long as one client has a secret that was brought, every failed authentication of every client takes "
                + "40 ms and more: where you can, have it generated")
    }
}
