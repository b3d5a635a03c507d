import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSoundRsaKey } from './rsa-key.js'

const exponent = 65_537n

function modulusOf(modulusLength: number): bigint {
  const { n } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })
  return BigInt(`0x${Buffer.from(String(n), 'base64url').toString('hex')}`)
}

const sound = modulusOf(2_048)

/** A number of 2,048 bits that is a power of 65,537 modulo the product of all odd primes up to 167. */
function rocaModulus(power: bigint): bigint {
  const odd = Array.from({ length: 83 }, (_item, index) => BigInt(2 * index + 3))
  const primes = odd.filter((number) => odd.every((other) => other >= number || number % other !== 0n))
  const product = primes.reduce((total, prime) => total * prime, 1n)
  return (exponent ** power % product) + product * (2n ** 2_047n / product + 1n)
}

it('a key of 2,048 bits with the usual exponent is sound', () => {
  expect(isSoundRsaKey({ modulus: sound, exponent })).toBe(true)
})

it.each([1n, 7n, 1_000n])('a modulus with the mark of the broken generator is not (power %i)', (power) => {
  const modulus = rocaModulus(power)
  expect(modulus.toString(2)).toHaveLength(2_048)
  expect(isSoundRsaKey({ modulus, exponent })).toBe(false)
  expect(isSoundRsaKey({ modulus: modulus + 2n, exponent })).toBe(true)
})

it.each([
  ['too short', 2n ** 2_047n - 1n],
  ['too long', 2n ** 8_192n + 1n],
  ['zero', 0n],
])('a modulus that is %s is not', (_name, modulus) => {
  expect(isSoundRsaKey({ modulus, exponent })).toBe(false)
})

it.each([0n, 1n, 3n, 65_535n, 65_538n, 2n ** 64n + 1n])('an exponent of %i is not', (weak) => {
  expect(isSoundRsaKey({ modulus: sound, exponent: weak })).toBe(false)
})
