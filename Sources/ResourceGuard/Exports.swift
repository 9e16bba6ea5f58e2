// `ResourceID`, `Scopes`, `ClientID` and `TrustedCertificates` are words of this library's own interface: who imports it
// has them.
@_exported public import OAuth
@_exported public import OutboundHTTP
