// `ClientID`, `ResourceID` and `Scopes` are words of this library's own interface: who imports it has them.
@_exported public import OAuth
