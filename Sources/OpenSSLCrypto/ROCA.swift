/// The fingerprint of RSA keys made by a flawed library (CVE-2017-15361, "Return of Coppersmith's Attack").
///
/// Its primes are k·M + (65537^a mod M), M a product of the first primes. So the modulus is a power of 65537
/// modulo each small prime; for another key the chance of that is below 2^-27.
enum ROCA {
    static func isLikely(_ modulus: [UInt8]) -> Bool {
        subgroups.allSatisfy { $0.powers[remainder(modulus, $0.prime)] }
    }

    /// For each odd prime up to 167, which remainders are powers of 65537.
    private static let subgroups: [(prime: Int, powers: [Bool])] = stride(from: 3, through: 167, by: 2)
        .filter(isPrime)
        .map { prime in
            var powers = [Bool](repeating: false, count: prime)
            var power = 1
            while !powers[power] {
                powers[power] = true
                power = power * 65537 % prime
            }
            return (prime, powers)
        }

    private static func isPrime(_ number: Int) -> Bool { !(2..<number).contains { number % $0 == 0 } }

    private static func remainder(_ bytes: [UInt8], _ prime: Int) -> Int {
        bytes.reduce(0) { ($0 << 8 | Int($1)) % prime }
    }
}
