import { createHmac, createSign, type JsonWebKey } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTokenVerifier } from './verify-identity-token.js'
import { compactToken, encodePart, signedBy } from './testing/compact-token.js'
import { type LocalServer, startLocalIssuer, startLocalServer } from './testing/local-server.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey } from './testing/signing-key.js'
import { fakeClock } from './testing/verifier-fixture.js'

const rsa = newSigningKey('rsa', 'RS256')
const ec = newSigningKey('ec')
const okp = newSigningKey('okp', 'EdDSA')
const stranger = newSigningKey('stranger')
const strangeRsa = newSigningKey('stranger', 'RS256')
const clock = fakeClock()

let issuer: LocalServer
let sink: LocalServer

beforeAll(async () => {
  issuer = await startLocalIssuer((_request, response) =>
    response.end(JSON.stringify({ keys: [rsa.jwk, ec.jwk, okp.jwk] })),
  )
  // What it serves would make the forgeries true, were anybody to ask for it.
  sink = await startLocalServer((_request, response) =>
    response.end(JSON.stringify({ keys: [{ ...stranger.jwk, kid: 'ec' }, stranger.jwk] })),
  )
})
afterAll(async () => {
  await issuer.stop()
  await sink.stop()
})

function claims(): Record<string, unknown> {
  const now = clock.seconds()
  return { iss: issuer.url, aud: 'us', sub: 'admin', iat: now, exp: now + 3_600 }
}

const nothing = (): Uint8Array => new Uint8Array()
const genuine = (): string => signedBy(ec, claims())
const partOf = (index: number): string => genuine().split('.')[index] ?? ''

/** A token signed by a stranger, whose header says where to find the stranger's key. */
function vouched(header: Record<string, unknown>): string {
  return signedBy(stranger, claims(), { kid: 'ec', ...header })
}

/** The same header with a signature of the true key: the header alone is what is wrong. */
function odd(header: Record<string, unknown>): string {
  return signedBy(ec, claims(), header)
}

function withAlgorithm(alg: unknown): string {
  return compactToken({ alg, kid: 'ec', typ: 'JWT' }, claims(), nothing)
}

/** HMAC with what everybody knows of the RSA key, in the hope that the verifier takes it as the secret. */
function confused(alg: 'HS256' | 'HS384' | 'HS512', secret: string | Buffer): string {
  const digest = alg.replace('HS', 'sha')
  return compactToken({ alg, kid: 'rsa' }, claims(), (input) => createHmac(digest, secret).update(input).digest())
}

function raw(signature: Uint8Array): string {
  return compactToken({ alg: 'ES256', kid: 'ec' }, claims(), () => signature)
}

const scalar = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const pem = (): string => String(rsa.publicKey.export({ type: 'spki', format: 'pem' }))
const der = (): Buffer => Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'der' }))
const modulus = (): string => String(rsa.jwk.n)
const sinkUrl = (): string => `${sink.url}/keys`

/** ECDSA in DER, as other protocols have it. */
function inDer(): string {
  return compactToken({ alg: 'RS256', kid: 'rsa' }, claims(), (input) =>
    createSign('sha512').update(input).sign({ key: strangerPem() }),
  )
}

function strangerPem(): string {
  return newPrivatePem
}
