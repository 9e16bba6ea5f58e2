// `ResourceID`, `Scopes` and `ClientID` are words of this library's own interface: who imports it has them.
@_exported public import OAuth
