/** An RSA public key as two numbers. */
export interface RsaNumbers {
  readonly modulus: bigint
  readonly exponent: bigint
}

const modulusBitsMin = 2_048
/** Beyond it, checking a signature costs more than a caller may ask for. */
const modulusBitsMax = 8_192
const exponentMin = 65_537n
const exponentMax = 0xffff_ffff_ffff_ffffn

const smallPrimes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
]

/** The powers of 65,537 modulo `prime`. */
function powers(prime: number): ReadonlySet<number> {
  const found = new Set<number>()
  for (let power = 1; !found.has(power); power = (power * 65_537) % prime) found.add(power)
  return found
}

const powersByPrime = smallPrimes.map((prime) => [prime, powers(prime)] as const)

/**
 * Whether the modulus bears the mark of Infineon's broken generator (CVE-2017-15361, "ROCA"), whose keys can be
 * factored: modulo every small prime it is a power of 65,537. A sound key does so once in about 2^154.
 */
function isRoca(modulus: bigint): boolean {
  return powersByPrime.every(([prime, residues]) => residues.has(Number(modulus % BigInt(prime))))
}

/** Whether signatures of the key prove anything, and can be checked at a bounded cost. */
export function isSoundRsaKey({ modulus, exponent }: RsaNumbers): boolean {
  const bits = modulus.toString(2).length
  return (
    bits >= modulusBitsMin &&
    bits <= modulusBitsMax &&
    exponent >= exponentMin &&
    exponent <= exponentMax &&
    exponent % 2n === 1n &&
    !isRoca(modulus)
  )
}
