internal import OutboundHTTP

extension ResourceGuard {
    /// Why a guard, a check or a key source cannot be made as configured: a mistake to mend before the service
    /// starts.
    public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong and what would be right. Holds no secret.
        public let description: String

        package init(_ description: String) { self.description = description }
    }
}

extension TrustedCertificates {
    /// The file, where there is one and it is in order.
    func openedForGuard() throws(ResourceGuard.ConfigurationError) -> CertificateFile? {
        do throws(CertificateFileError) {
            return try opened()
        } catch {
            throw ResourceGuard.ConfigurationError("trustedCertificates: \(error)")
        }
    }
}
