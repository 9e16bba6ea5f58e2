import JOSE

@testable import AuthServer

extension FuzzTarget {
    /// The configuration file (JSON5), and what the server makes of it.
    static let configurationFile = FuzzTarget(name: "configuration-file") { input in
        guard let settings = try? ConfigurationFile.settings(of: Array(input), path: "file") else { return }
        var object = JSONObject()
        for (setting, text) in settings { object[setting.key] = .string(text) }
        let written = JSON.serialize(.object(object))
        guard let again = try? ConfigurationFile.settings(of: written, path: "file") else {
            fatalError("what was serialized does not parse")
        }
        demand(again == settings, "settings change")
        var resolved = ResolvedSettings()
        for (setting, text) in settings { resolved[setting] = .init(text: text, origin: .file("file")) }
        checkServer(resolved)
    }

    /// A configuration that is accepted is within its bounds.
    private static func checkServer(_ settings: ResolvedSettings) {
        guard let configuration = try? ServerConfiguration(settings) else { return }
        demand((1...256).contains(configuration.threads), "\(configuration.threads) threads")
        demand(
            (1...300).contains(configuration.requestDeadline),
            "a deadline of \(configuration.requestDeadline)")
        demand(configuration.maxConnections >= 1, "no connections")
        demand((0...604_800).contains(configuration.jwksMaxAge), "a max-age of \(configuration.jwksMaxAge)")
        let issuer = configuration.issuer(boundTo: 8083)
        demand(
            issuer.isHTTPS || issuer.isLoopback
                || (try? settings.toggle(.allowHTTPIssuer)) == true, "an http issuer beyond loopback")
        demand(
            configuration.listen.isLoopback || configuration.tls != nil
                || (try? settings.toggle(.allowInsecureListen)) == true, "secrets in the clear")
    }
}
