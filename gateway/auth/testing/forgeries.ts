import { createHmac, randomBytes } from 'node:crypto'
import { compactToken, encodePart, signedBy } from './compact-token.js'
import type { SigningKey } from './signing-key.js'

/** What a forger has: an issuer's signed tokens and public keys, other keys, and a server. */
export interface Forger {
  /** Claims that would be valid if signed by the issuer. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly rsa: SigningKey
  readonly ec: SigningKey
  readonly stranger: SigningKey
  readonly strangeRsa: SigningKey
  /** The address of the stranger's keys, which no one must fetch. */
  readonly sinkUrl: string
}

/** A forged token and what is wrong with it. */
export type Forgery = readonly [name: string, token: string]

const nothing = (): Uint8Array => new Uint8Array()
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const scalar = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

function derInteger(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(first)
  const positive = (digits[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), digits]) : digits
  return Buffer.concat([Buffer.from([2, positive.length]), positive])
}

/** An ECDSA signature in the encoding of other protocols. */
function derSignature(raw: Buffer): Buffer {
  const body = Buffer.concat([derInteger(raw.subarray(0, 32)), derInteger(raw.subarray(32))])
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

/** Algorithms that a token may not choose. */
function otherAlgorithms({ claims, rsa, ec, strangeRsa }: Forger): Forgery[] {
  const unsigned = ['none', 'None', 'NONE', 'nOnE', '', ' none', 'none\u0000', null, 0, true, ['none'], {}]
  const refused = ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'ES256K', 'Ed448', 'rs256']
  const pem = String(rsa.publicKey.export({ type: 'spki', format: 'pem' }))
  const der = Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'der' }))
  const pkcs1 = String(rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }))
  const modulus = String(rsa.jwk.n)
  const secrets: readonly (readonly [string, string | Buffer])[] = [
    ['PEM', pem],
    ['PEM without the last line break', pem.trimEnd()],
    ['PKCS #1 PEM', pkcs1],
    ['DER', der],
    ['modulus', Buffer.from(modulus, 'base64url')],
    ['modulus in base64url', modulus],
    ['JWK', JSON.stringify(rsa.jwk)],
    ['empty secret', ''],
  ]
  const hmac = (alg: string, secret: string | Buffer): string =>
    compactToken({ alg, kid: 'rsa' }, claims, (input) =>
      createHmac(alg.replace('HS', 'sha'), secret).update(input).digest(),
    )
  return [
    ...unsigned.map(
      (alg): Forgery => [
        `alg ${JSON.stringify(alg)} without a signature`,
        compactToken({ alg, kid: 'ec' }, claims, nothing),
      ],
    ),
    ...refused.map((alg): Forgery => [`alg ${alg} with a genuine signature`, signedBy(rsa, claims, { alg })]),
    ...secrets.map(([name, secret]): Forgery => [`HS256 with the ${name} as secret`, hmac('HS256', secret)]),
    ['HS384 with the PEM as secret', hmac('HS384', pem)],
    ['HS512 with the PEM as secret', hmac('HS512', pem)],
    ['RS256 with the name of the EC key', signedBy(rsa, claims, { kid: 'ec' })],
    ['ES256 with the name of the RSA key', signedBy(ec, claims, { kid: 'rsa' })],
    ['EdDSA with the name of the EC key', signedBy(ec, claims, { alg: 'EdDSA' })],
    ['RS256 by a stranger', signedBy(strangeRsa, claims, { kid: 'rsa' })],
    ['no alg', signedBy(ec, claims, { alg: undefined })],
  ]
}

/** Headers that offer a key or change what is signed. */
function otherHeaders({ claims, ec, stranger, sinkUrl }: Forger): Forgery[] {
  const vouched: Readonly<Record<string, Record<string, unknown>>> = {
    'an embedded jwk': { jwk: stranger.jwk },
    'an embedded jwk with the genuine kid': { jwk: { ...stranger.jwk, kid: 'ec' } },
    jku: { jku: sinkUrl },
    'jku and the kid of the stranger': { jku: sinkUrl, kid: 'stranger' },
    x5u: { x5u: sinkUrl },
    x5c: { x5c: [Buffer.from('certificate').toString('base64')] },
    'a kid that is a URL': { kid: sinkUrl },
    'iss in the header': { iss: sinkUrl },
    'jwks in the header': { jwks: { keys: [stranger.jwk] } },
    'nothing, but signed by a stranger': {},
  }
  const odd: Readonly<Record<string, Record<string, unknown>>> = {
    'jwk with a genuine signature': { jwk: ec.jwk },
    'jku with a genuine signature': { jku: sinkUrl },
    'x5u with a genuine signature': { x5u: sinkUrl },
    'x5c with a genuine signature': { x5c: [] },
    'an unknown crit': { crit: ['x'], x: 1 },
    'an empty crit': { crit: [] },
    'crit null': { crit: null },
    'crit with b64': { crit: ['b64'], b64: true },
    'b64 false': { b64: false, crit: ['b64'] },
    'b64 false without crit': { b64: false },
    zip: { zip: 'DEF' },
  }
  return [
    ...Object.entries(vouched).map(
      ([name, header]): Forgery => [
        `a stranger's signature with ${name}`,
        signedBy(stranger, claims, { kid: 'ec', ...header }),
      ],
    ),
    ...Object.entries(odd).map(([name, header]): Forgery => [name, signedBy(ec, claims, header)]),
  ]
}

function kidName(kid: unknown): string {
  const text = JSON.stringify(kid)
  return text.length > 60 ? `kid of ${text.length} characters` : `kid ${text}`
}

/** Key ids that a careless verifier would open, query or fetch. */
function otherKids({ claims, ec, sinkUrl }: Forger): Forgery[] {
  const kids: readonly unknown[] = [
    '../../../../dev/null',
    '/etc/passwd',
    'C:\\nul',
    "ec' OR '1'='1",
    "x' UNION SELECT 'key' --",
    sinkUrl,
    'ec\u0000',
    'ec\n',
    'EC',
    ' ec',
    '',
    '__proto__',
    'constructor',
    'k'.repeat(8_192),
    'k'.repeat(256),
    'клюc',
    '$(id)',
    null,
    0,
    ['ec'],
    { kid: 'ec' },
  ]
  return [
    ...kids.map((kid): Forgery => [kidName(kid), signedBy(ec, claims, { kid })]),
    ['no kid', signedBy(ec, claims, { kid: undefined })],
  ]
}

/** Invalid signatures. */
function otherSignatures({ claims, ec }: Forger): Forgery[] {
  const [header = '', payload = '', signature = ''] = signedBy(ec, claims).split('.')
  const raw = Buffer.from(signature, 'base64url')
  const signed = (bytes: Uint8Array): string =>
    `${header}.${payload}.${Buffer.from(bytes).toString('base64url')}`
  const pairs: readonly (readonly [string, bigint, bigint])[] = [
    ['r = s = 0', 0n, 0n],
    ['r = 0, s = 1', 0n, 1n],
    ['r = 1, s = 0', 1n, 0n],
    ['r = s = 1', 1n, 1n],
    ['r = s = n', order, order],
    ['r = n, s = 1', order, 1n],
    ['r = s = n - 1', order - 1n, order - 1n],
  ]
  return [
    ['no signature', `${header}.${payload}.`],
    ['no signature and no dot', `${header}.${payload}`],
    ['the signature null', `${header}.${payload}.${encodePart('null')}`],
    ...pairs.map(
      ([name, r, s]): Forgery => [`ECDSA with ${name}`, signed(Buffer.concat([scalar(r), scalar(s)]))],
    ),
    ['a single zero', signed(Buffer.from([0]))],
    ['random bytes', signed(randomBytes(64))],
    ['a genuine signature in DER', signed(derSignature(raw))],
    ['a genuine signature cut short', signed(raw.subarray(0, 63))],
    ['a genuine signature followed by a zero', signed(Buffer.concat([raw, Buffer.alloc(1)]))],
    [
      'a genuine signature with its halves swapped',
      signed(Buffer.concat([raw.subarray(32), raw.subarray(0, 32)])),
    ],
    [
      'a genuine signature of other claims',
      `${header}.${encodePart({ ...claims, sub: 'root' })}.${signature}`,
    ],
    [
      'a genuine signature under another header',
      `${encodePart({ alg: 'ES256', kid: 'ec' })}.${payload}.${signature}`,
    ],
  ]
}

/** Other spellings of a genuine token, and strings that are not tokens. */
function otherForms({ claims, ec }: Forger): Forgery[] {
  const genuine = signedBy(ec, claims)
  const [header = '', payload = '', signature = ''] = genuine.split('.')
  const twice = Buffer.from('{"alg":"ES256","alg":"none","kid":"ec"}').toString('base64url')
  return [
    ['padding after the signature', `${genuine}==`],
    ['padding after the payload', `${header}.${payload}=.${signature}`],
    ['a line break in the signature', `${header}.${payload}.${signature.slice(0, 9)}\n${signature.slice(9)}`],
    ['a foreign character in the payload', `${header}.${payload}!.${signature}`],
    ['a space before it', ` ${genuine}`],
    ['a line break after it', `${genuine}\n`],
    ['a fourth part', `${genuine}.${signature}`],
    ['an empty fourth part', `${genuine}.`],
    ['empty parts', '..'],
    ['nothing', ''],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['JSON serialization', JSON.stringify({ protected: header, payload, signature })],
    ['alg twice', `${twice}.${payload}.${ec.sign(`${twice}.${payload}`).toString('base64url')}`],
    ['a header that is a list', compactToken('["alg"]', claims, ec.sign)],
    ['a header that is no JSON', compactToken('alg', claims, ec.sign)],
    ['a header that is never closed', compactToken('{"alg":'.repeat(900), claims, ec.sign)],
    ['an opaque token', randomBytes(40).toString('base64url')],
  ]
}

export function forgeries(forger: Forger): readonly Forgery[] {
  return [otherAlgorithms, otherHeaders, otherKids, otherSignatures, otherForms].flatMap((make) =>
    make(forger),
  )
}
