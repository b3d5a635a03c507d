import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FoundSecret } from './match-secret.js'
import { secretRules } from './rules.js'
import { createSecretScanner, findSecrets } from './secret-scanner.js'
import { plantedSecrets } from './testing/planted-secrets.js'

const nowMs = Date.parse('2030-01-01T00:00:00Z')

/** In two or more chunks, cut at these places. */
function scanInChunks(bytes: Uint8Array, cuts: readonly number[]): readonly FoundSecret[] {
  const scanner = createSecretScanner({ nowMs })
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    scanner.push(bytes.subarray(from, to))
    from = to
  }
  return scanner.finish()
}

const find = (text: string): readonly FoundSecret[] => findSecrets(Buffer.from(text), { nowMs })

interface Planted {
  readonly rule: string
  readonly secret: string
  readonly text: string
}

const planted: fc.Arbitrary<Planted> = fc
  .tuple(fc.constantFrom(...plantedSecrets), fc.infiniteStream(fc.nat(1_000_000)))
  .map(([{ rule, make, before }, numbers]) => {
    const secret = make(() => Number(numbers.next().value) / 1_000_001)
    return { rule, secret, text: `${before}${secret}` }
  })

/** What surrounds a secret: nothing that could be part of one. */
const around = fc.string({ unit: fc.constantFrom(...'abc é"\\\n\t{}:,ghp_=/') })
const separator = fc.constantFrom(' ', '"', '=', ':', '\n', '(', ',', '/')
const end = fc.constantFrom(' ', '"', ',', '\n', ')', ';')

/** A JSON string, in which some characters are written as escapes that are not needed. */
function written(text: string, isEscaped: (index: number) => boolean): string {
  const characters = [...text].map((character, index) =>
    isEscaped(index) && character.length === 1
      ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(character).slice(1, -1),
  )
  return `"${characters.join('')}"`
}

describe('the secret scan', () => {
  it('finds every planted secret in a string of JSON, wherever chunks end and whatever is escaped', () => {
    void fc.assert(
      fc.property(
        planted,
        around,
        around,
        separator,
        end,
        fc.constantFrom(0, 0, 0.1, 1),
        fc.array(fc.nat()),
        fc.nat(9_000),
        ({ rule, secret, text }, before, after, left, right, escaped, places, padding) => {
          const content = `${before}${left}${text}${right}${after}`
          const json = written(content, (index) => ((index * 7_919) % 100) / 100 < escaped)
          const bytes = Buffer.from(`{"${'p'.repeat(padding)}":1,"a":${json}}`)
          const cuts = places.map((place) => place % bytes.length).sort((a, b) => a - b)
          for (const found of [findSecrets(bytes, { nowMs }), scanInChunks(bytes, cuts)]) {
            const [one] = found.filter((each) => each.rule === rule && each.certain)
            expect(one, json).toBeDefined()
            expect(JSON.stringify(found)).not.toContain(secret)
            const place = Buffer.from(bytes.subarray(one?.start, one?.end)).toString()
            expect(JSON.parse(`"${place}"`)).toBe(secret)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each(plantedSecrets)('finds a secret at every chunk border: $rule', ({ rule, make, before }) => {
    const text = `${before}${make(Math.random)}`
    const bytes = Buffer.from(`{"k":${JSON.stringify(text)},"l":${JSON.stringify('x'.repeat(5_000))}}`)
    for (let cut = 1; cut < text.length + 20; cut += 1)
      expect(
        scanInChunks(bytes, [cut]).map((one) => one.rule),
        `cut at ${cut}`,
      ).toContain(rule)
    const single = Array.from({ length: 300 }, (_none, at) => at + 1)
    expect(scanInChunks(bytes, single).map((one) => one.rule)).toContain(rule)
  })

  it.each(plantedSecrets)('finds a secret in JSON in a string of JSON: $rule', ({ rule, make, before }) => {
    const inner = JSON.stringify({ config: `x ${before}${make(Math.random)}` })
    expect(find(JSON.stringify({ body: inner })).map((one) => one.rule)).toContain(rule)
    expect(find(JSON.stringify({ body: inner }).replaceAll('/', '\\/')).map((one) => one.rule)).toContain(
      rule,
    )
  })

  it('finds the same in large chunks as in small ones', () => {
    const texts = plantedSecrets.map(({ make, before }) => `${before}${make(Math.random)}`)
    const filler = '{"id":1,"text":"The quick brown fox, https://example.com/a?b=c"},'.repeat(300)
    const bytes = Buffer.from(`[${texts.map((text) => `${filler}${JSON.stringify(text)}`).join(',')}]`)
    const all = { nowMs, foundMax: 100 }
    const whole = findSecrets(bytes, all)
    expect(whole.length).toBeGreaterThanOrEqual(texts.length)
    for (const size of [777, 4_096, 65_536, 262_144]) {
      const scanner = createSecretScanner(all)
      for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size))
      expect(scanner.finish(), `chunks of ${size}`).toEqual(whole)
    }
  })

  it('shows how a secret begins and ends, and nothing of a password or a private key', () => {
    const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
    expect(find(`"${token}"`)).toMatchObject([{ rule: 'github-token', certain: true, masked: 'ghp_…Lq17' }])
    expect(find('postgres://bob:s3cretpassw0rd@db.acme.io/x')).toMatchObject([
      { rule: 'url-password', certain: false, masked: '://…@' },
    ])
    const pem = `-----BEGIN EC PRIVATE KEY-----\n${'Ab3/'.repeat(4)}${'cD4+'.repeat(12)}\n`
    expect(find(pem)).toMatchObject([{ masked: '-----BEGIN … PRIVATE KEY-----', hasEndLine: true }])
  })

  it.each([
    ['a token with a wrong checksum', 'ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18'],
    ['a private key with a password', `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${'Ab3/cD4+'.repeat(8)}\n`],
    ['a password in a URL', 'https://bob:s3cretpassw0rd@git.acme.io/x.git'],
    ['the same with escaped slashes', '{"u":"https:\\/\\/bob:s3cretpassw0rd@git.acme.io\\/x.git"}'],
    ['a bearer token', 'Authorization: Bearer 8f14e45fceea167a5a36dedd4bea2543'],
    ['a session cookie', 'Cookie: theme=dark; session_id=8f14e45fceea167a5a36'],
    ['one as recorded by a browser', '{"name":"Cookie","value":"sid=8f14e45fceea167a5a36"}'],
  ])('is not certain about %s', (_what, text) => {
    expect(find(text)).toMatchObject([{ certain: false }])
  })

  it.each([
    ['a placeholder', 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['the example of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['part of a longer word', `myghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`],
    ['a token that is too long', '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a'],
    ['a token that has expired', expiredJwt()],
    ['a public key', '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n'],
    ['the mention of a private key', 'It begins with -----BEGIN PRIVATE KEY-----\nand some base64.'],
    ['an example of a URL', 'https://user:password@example.com and postgres://app:secret99@localhost/db'],
    ['a variable in a URL', 'https://bot:$' + '{TOKEN}@git.acme.io'],
    ['an e-mail address', 'mailto:bob@acme.io, https://acme.io:8080/@bob'],
    ['a digest', '"integrity": "sha512-x1Sk3aWv0z9Q6yTqYzKjXw=="'],
    [
      'an id',
      '{"id":"8f14e45f-ceea-467a-9a36-dedd4bea2543","sha":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}',
    ],
  ])('does not take %s for a secret', (_what, text) => {
    expect(find(text)).toEqual([])
  })

  it('finds a token after an escape or an encoded character, which is no part of it', () => {
    const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
    for (const before of ['\\n', '\\t', '\\u0026', '\\\\n', '%3D', '\\u003d', '\\"'])
      expect(find(`"x${before}${token}"`), before).toMatchObject([{ rule: 'github-token' }])
  })

  it('finds a limited number of certain ones, beside as many likely ones', () => {
    const make = plantedSecrets[0]?.make ?? (() => '')
    const likely = 'https://bob:s3cretpassw0rd@git.acme.io '.repeat(50)
    const text = `${likely}${Array.from({ length: 50 }, () => make(Math.random)).join(' ')}`
    const found = find(text)
    expect([found.length, found.filter(({ certain }) => certain).length]).toEqual([40, 20])
  })

  it.each(['AIza', 'ghp_', 'eyJh', '://', '-----BEGIN ', 'Cookie', 'Bearer ', '\\u0067', 'ghp_\\'])(
    'is not slowed down by %s over and over',
    (start) => {
      for (const separator of [' ', '/', '"']) expect(find(`${start}${separator}`.repeat(20_000))).toEqual([])
    },
  )

  it('has rules with different names, of which most are certain', () => {
    const ids = secretRules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(60)
    for (const { id, name, starts } of secretRules) {
      expect(id).toMatch(/^[a-z0-9-]+$/)
      expect(name).toMatch(/^an? /)
      for (const start of starts) expect(start.length, id).toBeGreaterThanOrEqual(3)
    }
  })
})

function expiredJwt(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1', exp: 1_700_000_000 })}.${'aB3_'.repeat(11)}`
}
