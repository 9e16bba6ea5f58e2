/// Certificates of fixed dates, for what depends on them.
///
/// `openssl req -x509` and `openssl x509 -req` on 1 January 2020 (faketime), P-256.
public enum TestCertificates {
    /// A server's, from 2020-01-01 to 2020-02-01, for `localhost`, `auth.example.com`, `*.wild.example`, `127.0.0.1`
    /// and `::1`; the subject is `server`.
    public static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBvjCCAWSgAwIBAgIUTes8APPSvQf9eqC9Rc29+pXP2acwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMaW50ZXJtZWRpYXRlMB4XDTIwMDEwMTAwMDAwMFoXDTIwMDIw
        MTAwMDAwMFowETEPMA0GA1UEAwwGc2VydmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEVp3s9FcsM2S50y46sEtjHwU39ypzANXkefjeUMwwIn4dRjOwK63kcAw0
        cFNiyZqJZxKL6F2rUJ847s5q+IPAs6OBkzCBkDBOBgNVHREERzBFgglsb2NhbGhv
        c3SCEGF1dGguZXhhbXBsZS5jb22CDioud2lsZC5leGFtcGxlhwR/AAABhxAAAAAA
        AAAAAAAAAAAAAAABMB0GA1UdDgQWBBRpmia5ngB9XajhFi1xMdqhQUWumTAfBgNV
        HSMEGDAWgBR1AGUTYYerMRm2rbW7nL9wnCYWYDAKBggqhkjOPQQDAgNIADBFAiA3
        BBp0h17bBo7PebxOw2AvdMwg3qoAE+R19x40GZfBsQIhAKULgR9ZbsDNfO7V56EB
        qvQlYOKxiGm1OW3kIxkLb9UN
        -----END CERTIFICATE-----

        """

    /// The one that signed it, from 2020-01-01 to 2020-01-21.
    public static let intermediate = """
        -----BEGIN CERTIFICATE-----
        MIIBhDCCASmgAwIBAgIUdUuiEtqzyBT91nDje9OQj7pn460wCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMaW50ZXJtZWRpYXRlMB4XDTIwMDEwMTAwMDAwMFoXDTIwMDEy
        MTAwMDAwMFowFzEVMBMGA1UEAwwMaW50ZXJtZWRpYXRlMFkwEwYHKoZIzj0CAQYI
        KoZIzj0DAQcDQgAEERyEUXft76hNa/4RjYCGizQ4EId9p2/gZU+SeDezRkwUIpZa
        dVgZxx6LhZy3levvjEAULoZPRS1rwnjew30+2KNTMFEwHQYDVR0OBBYEFHUAZRNh
        h6sxGbattbucv3CcJhZgMB8GA1UdIwQYMBaAFHUAZRNhh6sxGbattbucv3CcJhZg
        MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAOUsJaMsgAQcJZD6
        J89I90HLYZyZf/Z1wMvBJA5iAt4jAiEAw95b4rolt6TQrj5f4nJdtfiRg87Hl3Fv
        LJbJTEmXXJc=
        -----END CERTIFICATE-----

        """

    /// The key of `server`.
    public static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpWftM9KH5Y6FXWY/
        32aHGzvj/txcGMXcwcVFVDcjF9ShRANCAARWnez0VywzZLnTLjqwS2MfBTf3KnMA
        1eR5+N5QzDAifh1GM7ArreRwDDRwU2LJmolnEovoXatQnzjuzmr4g8Cz
        -----END PRIVATE KEY-----

        """

    /// The same key, encrypted.
    public static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgjtI7KBxkSLQICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEECNs0OclRl7ZfxieQ+rBpwoEgZBy
        0r/5EzCppSn53u7lNtbYk3dPizruboiv4roE2NIWpr/o4EWjghRDFgy9sVX3TIPq
        d3RvIXtaFT/Ds2u9ByHx6gIW+mcJg1wOEFB/NMd2gUT+CvOsSd5OWAhFx3pSEjKm
        WZHy9hJ2Anj8Z8PO96bRBBCnxNqBOpDG7tI9WRsa5r3uYOSl8s3Kb/8gtTuCUGE=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    /// The key of `intermediate`.
    public static let intermediateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdQYlontt712fncV6
        U4iU6AUsbt0UyBBeRSE3AOevDPChRANCAAQRHIRRd+3vqE1r/hGNgIaLNDgQh32n
        b+BlT5J4N7NGTBQillp1WBnHHouFnLeV6++MQBQuhk9FLWvCeN7DfT7Y
        -----END PRIVATE KEY-----

        """
}
