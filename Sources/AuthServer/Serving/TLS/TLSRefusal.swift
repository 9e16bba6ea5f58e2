import OpenSSLCrypto

/// Finds out why the HTTP engine, which says no reason, does not take a certificate and a key.
struct TLSRefusal {
    let certificate: TLSFile
    let key: TLSFile

    /// Why, and what to do; nil where nothing is seen to be wrong.
    func reason() -> CommandError? {
        if let error = wrongForm(certificate) ?? wrongForm(key) { return error }
        guard let chain = Certificate.chain(pem: certificate.content), !chain.isEmpty else {
            return damaged(certificate, command: "openssl x509")
        }
        guard let privateKey = CertificateKey(pem: key.content) else {
            return key.isEncrypted ? encrypted : damaged(key, command: "openssl pkey")
        }
        guard let place = chain.firstIndex(where: { $0.belongs(to: privateKey) }) else { return otherKey }
        return place == 0 ? nil : wrongOrder(place)
    }

    private func refused(_ what: String, hint: String) -> CommandError {
        CommandError(.configuration, what, hint: hint)
    }

    // MARK: A file by itself

    private func wrongForm(_ file: TLSFile) -> CommandError? {
        let (path, isKey) = (file.path, file.role == .key)
        switch file.form {
        case .pem(let labels):
            return wrongLabels(file, labels)
        case .der:
            let command = isKey ? "pkey" : "x509"
            return refused(
                "\(file.name) is DER, not PEM",
                hint: "write it in PEM: \(converted("openssl \(command) -inform der", path, isKey))")
        case .pkcs12:
            let what = isKey ? "-nocerts -nodes" : "-nokeys"
            return refused(
                "\(file.name) is PKCS #12, not PEM",
                hint: "write what is in it in PEM: \(converted("openssl pkcs12 \(what)", path, isKey))")
        case .other:
            let label = isKey ? "PRIVATE KEY" : "CERTIFICATE"
            return refused("\(file.name) is no PEM", hint: "PEM begins with -----BEGIN \(label)-----")
        }
    }

    /// The command that writes a file in another form; a key for its owner alone.
    private func converted(_ command: String, _ path: String, _ isKey: Bool) -> String {
        let line = "\(command) -in \(ShellWord.quoted(path)) -out \(ShellWord.quoted(path + ".pem"))"
        return isKey ? "(umask 077; \(line))" : line
    }

    private func wrongLabels(_ file: TLSFile, _ labels: [String]) -> CommandError? {
        let hasKey = labels.contains { $0.hasSuffix("PRIVATE KEY") }
        let hasCertificate = labels.contains { $0.hasSuffix("CERTIFICATE") }
        guard !(file.role == .key ? hasKey : hasCertificate) else { return nil }
        let wanted = file.role == .key ? "private key" : "certificate"
        let exchanged =
            "--tls-certificate names the certificate's file and --tls-key the key's: are they exchanged?"
        let request = "a certificate request is sent to an authority, which answers with the certificate"
        let hint =
            if file.role == .key ? hasCertificate : hasKey {
                exchanged
            } else if labels.contains(where: { $0.hasSuffix("CERTIFICATE REQUEST") }) {
                request
            } else {
                "check the path"
            }
        return refused(
            "\(file.name) holds no \(wanted), but \(Printable.text(labels.joined(separator: ", ")))",
            hint: hint)
    }

    private func damaged(_ file: TLSFile, command: String) -> CommandError {
        refused(
            "\(file.name) is damaged or of an unknown form: what is between its BEGIN and END lines cannot be read",
            hint: "copy it again; \(command) -noout -in \(ShellWord.quoted(file.path)) says more")
    }

    private var encrypted: CommandError {
        let (path, plain) = (ShellWord.quoted(key.path), ShellWord.quoted(key.path + ".plain"))
        return refused(
            "\(key.name) is encrypted, and the server cannot ask for its passphrase",
            hint:
                "write it without one, for the server alone: (umask 077; openssl pkey -in \(path) -out \(plain))"
        )
    }

    // MARK: Both together

    private func wrongOrder(_ index: Int) -> CommandError {
        refused(
            "\(certificate.name) is in the wrong order: the certificate of the key \(Printable.text(key.path)) is "
                + "number \(index + 1) in it",
            hint: "the server's own certificate comes first, then each that signed the one before it")
    }

    private var otherKey: CommandError {
        let (certificatePath, keyPath) = (ShellWord.quoted(certificate.path), ShellWord.quoted(key.path))
        return refused(
            "\(key.name) does not belong to \(certificate.name)",
            hint: "these print the same for two that belong together: openssl x509 -noout -pubkey -in "
                + "\(certificatePath) and openssl pkey -pubout -in \(keyPath)")
    }
}
