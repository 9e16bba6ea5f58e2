import Glibc
import TestSupport
import Testing

/// Each thing that is wrong with a TLS file has a message of its own, which names the file and what to do.
@Suite("TLS files that are refused")
struct TLSRefusalTests {
    /// What is wrong, and what is said of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the shell does before, in the folder of the files.
        var preparation = ":"
        var certificate = "server.pem"
        var key = "key.pem"
        let message: String
        let hint: String
    }

    private static let files = [
        "server": TestCertificates.server, "ca": TestCertificates.intermediate, "key": TestCertificates.key,
        "ca-key": TestCertificates.intermediateKey, "encrypted": TestCertificates.encryptedKey,
    ]
    /// Makes the files; a key is a file for its owner alone.
    private static let makeFiles =
        "umask 077\n"
        + files.map { "cat >\($0.key).pem <<'END'\n\($0.value)\nEND\n" }.sorted().joined()
            + """
            for name in server key; do grep -v -- ----- $name.pem | base64 -d >$name.der; done
            """
    /// Gives up root's right to read what nobody may.
    private static let asNobodySpecial = geteuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all" : ""
    private static let canBeForbidden = geteuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0

    static let cases = [
        Case(
            testDescription: "no such certificate", certificate: "none.pem",
            message: "the TLS certificate none.pem cannot be read: No such file or directory",
            hint: "check the path"),
        Case(
            testDescription: "no such key", key: "none.pem",
            message: "the TLS key none.pem cannot be read: No such file or directory", hint: "check the path"),
        Case(
            testDescription: "a folder", preparation: "mkdir live", certificate: "live",
            message: "the TLS certificate live is a folder", hint: "name the file in it"),
        Case(
            testDescription: "a certificate in DER", certificate: "server.der",
            message: "the TLS certificate server.der is DER, not PEM",
            hint: "write it in PEM: openssl x509 -inform der -in server.der -out server.der.pem"),
        Case(
            testDescription: "a key in DER", key: "key.der",
            message: "the TLS key key.der is DER, not PEM",
            hint: "write it in PEM: (umask 077; openssl pkey -inform der -in key.der -out key.der.pem)"),
        Case(
            testDescription: "PKCS #12",
            preparation: "openssl pkcs12 -export -in server.pem -inkey key.pem -passout pass:x -out all.pfx",
            certificate: "all.pfx", key: "all.pfx",
            message: "the TLS certificate all.pfx is PKCS #12, not PEM",
            hint: "write what is in it in PEM: openssl pkcs12 -nokeys -in all.pfx -out all.pfx.pem"),
        Case(
            testDescription: "a certificate that is no PEM", preparation: "echo text >server.pem",
            message: "the TLS certificate server.pem is no PEM",
            hint: "PEM begins with -----BEGIN CERTIFICATE-----"),
        Case(
            testDescription: "an empty key", preparation: ": >key.pem",
            message: "the TLS key key.pem is no PEM", hint: "PEM begins with -----BEGIN PRIVATE KEY-----"),
        Case(
            testDescription: "files that are exchanged", certificate: "key.pem", key: "server.pem",
            message: "the TLS certificate key.pem holds no certificate, but PRIVATE KEY",
            hint:
                "--tls-certificate names the certificate's file and --tls-key the key's: are they exchanged?"),
        Case(
            testDescription: "a certificate in place of the key", key: "server.pem",
            message: "the TLS key server.pem holds no private key, but CERTIFICATE",
            hint:
                "--tls-certificate names the certificate's file and --tls-key the key's: are they exchanged?"),
        Case(
            testDescription: "a certificate request",
            preparation: "openssl req -new -key key.pem -subj /CN=localhost -out request.pem",
            certificate: "request.pem",
            message: "the TLS certificate request.pem holds no certificate, but CERTIFICATE REQUEST",
            hint: "a certificate request is sent to an authority, which answers with the certificate"),
        Case(
            testDescription: "a damaged certificate", preparation: "sed -i 4d server.pem",
            message: "the TLS certificate server.pem is damaged or of an unknown form: "
                + "what is between its BEGIN and END lines cannot be read",
            hint: "copy it again; openssl x509 -noout -in server.pem says more"),
        Case(
            testDescription: "a damaged key", preparation: "sed -i 2d key.pem",
            message:
                "the TLS key key.pem is damaged or of an unknown form: what is between its BEGIN and END lines cannot be read",
            hint: "copy it again; openssl pkey -noout -in key.pem says more"),
        Case(
            testDescription: "an encrypted key", key: "encrypted.pem",
            message: "the TLS key encrypted.pem is encrypted, and the server cannot ask for its passphrase",
            hint: "write it without one, for the server alone: "
                + "(umask 077; openssl pkey -in encrypted.pem -out encrypted.pem.plain)"),
        Case(
            testDescription: "a key that is encrypted as OpenSSL did before",
            preparation: "openssl ec -in key.pem -aes128 -passout pass:x -out encrypted.pem",
            key: "encrypted.pem",
            message: "the TLS key encrypted.pem is encrypted, and the server cannot ask for its passphrase",
            hint: "write it without one, for the server alone: "
                + "(umask 077; openssl pkey -in encrypted.pem -out encrypted.pem.plain)"),
        Case(
            testDescription: "a chain in the wrong order", preparation: "cat ca.pem server.pem >chain.pem",
            certificate: "chain.pem",
            message: "the TLS certificate chain.pem is in the wrong order: "
                + "the certificate of the key key.pem is number 2 in it",
            hint: "the server's own certificate comes first, then each that signed the one before it"),
        Case(
            testDescription: "the key of another", key: "ca-key.pem",
            message: "the TLS key ca-key.pem does not belong to the TLS certificate server.pem",
            hint:
                "these print the same for two that belong together: openssl x509 -noout -pubkey -in server.pem "
                + "and openssl pkey -pubout -in ca-key.pem"),
    ]

    @Test("for a reason of their own, and what to do", arguments: cases)
    func refused(_ example: Case) async throws {
        let outcome = try await serve(
            "\(example.preparation) 2>/dev/null", certificate: example.certificate, key: example.key)
        #expect(outcome.output == ["exit 2"], "\(outcome)")
        #expect(
            outcome.messages == ["authserver: \(example.message)", "hint: \(example.hint)"], "\(outcome)")
    }

    @Test(
        "because this user may not read them",
        .enabled(if: canBeForbidden, "no setpriv to be denied anything"))
    func forbidden() async throws {
        let outcome = try await serve(
            "chmod 0 key.pem", prefix: Self.asNobodySpecial, certificate: "server.pem", key: "key.pem")
        #expect(outcome.output == ["exit 2"], "\(outcome)")
        #expect(outcome.messages.first == "authserver: the TLS key key.pem cannot be read: Permission denied")
        #expect(outcome.messages.last?.contains("namei -l key.pem shows who may") == true, "\(outcome)")
    }

    @Test(
        "and the command that is proposed mends them",
        arguments: [
            ("server.der", "key.pem", "server.der.pem", "key.pem"),
            ("server.pem", "key.der", "server.pem", "key.der.pem"),
        ])
    func mended(certificate: String, key: String, newCertificate: String, newKey: String) async throws {
        let outcome = try await ShellSession().run(
            """
            \(Self.makeFiles)
            umask 022
            timeout 10 authserver serve --tls-certificate \(certificate) --tls-key \(key) 2>said
            sed -n 's/^hint: write it in PEM: //p' said | sh 2>/dev/null
            stat -c %a \(newKey)
            timeout 10 authserver serve --tls-certificate \(newCertificate) --tls-key \(newKey) \
                --listen 192.0.2.1:8083 --issuer https://localhost
            """)
        // Another machine's address is what it meets after the files.
        #expect(outcome.output == ["600"], "\(outcome)")
        #expect(outcome.messages.first == "authserver: cannot listen on 192.0.2.1:8083", "\(outcome)")
    }

    /// Starts a server that is refused.
    private func serve(
        _ preparation: String, prefix: String = "", certificate: String, key: String
    ) async throws -> ShellSession.Outcome {
        try await ShellSession().run(
            """
            \(Self.makeFiles)
            \(preparation)
            \(prefix) timeout 10 authserver serve --listen 127.0.0.1:0 \
            --tls-certificate \(certificate) --tls-key \(key)
            echo "exit $?" && ls | grep -F .db
            true
            """)
    }
}
