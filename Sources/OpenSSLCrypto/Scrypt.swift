internal import COpenSSL

/// The scrypt key derivation function (RFC 7914).
public enum Scrypt {
    /// What a derivation costs.
    public struct Parameters: Sendable, Hashable {
        /// CPU and memory cost: a power of two above 1. The memory is 128 · n · r bytes.
        public let n: UInt64
        /// Block size.
        public let r: UInt32
        /// Parallelization.
        public let p: UInt32

        /// Parameters as they were stored; `derive` refuses the ones out of range.
        public init(n: UInt64, r: UInt32, p: UInt32) {
            self.n = n
            self.r = r
            self.p = p
        }

        /// 16 MiB and some 25 ms: what a secret chosen by a person is stored with.
        public static let standard = Parameters(n: 1 << 14, r: 8, p: 1)

        /// At most 256 MiB and 16 rounds of it, so that a damaged record cannot stop the process.
        var isAcceptable: Bool {
            n > 1 && n <= 1 << 20 && n & (n - 1) == 0 && (1...32).contains(r) && (1...16).contains(p)
                && 128 * n * UInt64(r) <= Self.maximumMemory
        }

        fileprivate static let maximumMemory: UInt64 = 256 << 20
    }

    /// Derives `length` bytes.
    /// - Throws: `CryptoError` for parameters out of range, or when the memory is not there.
    public static func derive(
        password: Span<UInt8>, salt: Span<UInt8>, parameters: Parameters = .standard, length: Int = 32
    ) throws(CryptoError) -> [UInt8] {
        guard parameters.isAcceptable, (16...1024).contains(length) else {
            throw .invalidParameter(
                "scrypt: n is a power of two up to 2^20, 128*n*r is at most 256 MiB, length 16 to 1024")
        }
        guard let context = EVP_KDF_CTX_new(Fetched.scrypt.method) else {
            throw .libraryFailure("start scrypt")
        }
        defer { EVP_KDF_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: length)
        guard run(context, password, salt, parameters, &output) else { throw .libraryFailure("run scrypt") }
        return output
    }

    private static func run(
        _ context: OpaquePointer, _ password: Span<UInt8>, _ salt: Span<UInt8>, _ parameters: Parameters,
        _ output: inout [UInt8]
    ) -> Bool {
        // The parameter list refers to these: n, r, p and the memory limit, which is a little more than the table.
        var numbers = [
            parameters.n, UInt64(parameters.r), UInt64(parameters.p), Parameters.maximumMemory + (1 << 20),
        ]
        return numbers.withUnsafeMutableBufferPointer { numbers in
            password.withUnsafeBufferPointer { password in
                salt.withUnsafeBufferPointer { salt in
                    let values = [
                        octets(ParameterName.password, password),
                        octets(ParameterName.salt, salt),
                        OSSL_PARAM_construct_uint64(ParameterName.scryptN, numbers.baseAddress),
                        OSSL_PARAM_construct_uint64(
                            ParameterName.scryptR, numbers.baseAddress.map { $0 + 1 }),
                        OSSL_PARAM_construct_uint64(
                            ParameterName.scryptP, numbers.baseAddress.map { $0 + 2 }),
                        OSSL_PARAM_construct_uint64(
                            ParameterName.maximumMemory, numbers.baseAddress.map { $0 + 3 }),
                        OSSL_PARAM_construct_end(),
                    ]
                    return EVP_KDF_derive(context, &output, output.count, values) == 1
                }
            }
        }
    }

    private static func octets(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>)
        -> OSSL_PARAM
    {
        OSSL_PARAM_construct_octet_string(
            name, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}
