import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { signedProviderEvents } from './signed-provider-events.js'

const now = new Date(Date.UTC(2030, 0, 1))
const nowSeconds = now.getTime() / 1000
const [secret, nextSecret, foreignSecret] = ['whsec_first', 'whsec_second', 'whsec_foreign']
const body = Buffer.from('{"id":"evt_1","type":"customer.created","livemode":true,"name":"Zoë"}')

function sign(time: number | string, bytes: Uint8Array = body, key = secret): string {
  return createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')
}

function header(time: number | string = nowSeconds, ...signatures: readonly string[]): string {
  const given = signatures.length === 0 ? [sign(time)] : signatures
  return [`t=${time}`, ...given.map((signature) => `v1=${signature}`)].join(',')
}

interface Case {
  readonly body?: Uint8Array
  readonly header: string | undefined
  readonly secrets?: readonly string[]
}

const at = (offset: number) => ({ header: header(nowSeconds + offset) })
const good = sign(nowSeconds)
const bad = sign(nowSeconds, body, foreignSecret)

const accepted: Readonly<Record<string, Case>> = {
  'signed now': at(0),
  'signed 300 s ago': at(-300),
  'signed 300 s ahead': at(300),
  'signed by the SDK': {
    header: Stripe.webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret,
      timestamp: nowSeconds,
    }),
  },
  'a good signature after a bad one': { header: header(nowSeconds, bad, good) },
  'a good signature before a bad one': { header: header(nowSeconds, good, bad) },
  'a good signature beside one of another length': { header: header(nowSeconds, 'abcd', good) },
  'a good signature beside a v0': { header: `${header()},v0=${bad}` },
  'signatures before the time': { header: `v1=${good},t=${nowSeconds}` },
  'unknown parts': { header: `${header()},v2=x,scheme,=,t2=5` },
  'the old of two secrets': { header: header(), secrets: [nextSecret, secret] },
  'the new of two secrets': {
    header: header(nowSeconds, sign(nowSeconds, body, nextSecret)),
    secrets: [nextSecret, secret],
  },
  'secrets in the other order': { header: header(), secrets: [secret, nextSecret] },
  'signed by both of two secrets': {
    header: header(nowSeconds, sign(nowSeconds, body, nextSecret), good),
    secrets: [secret, nextSecret],
  },
  'a blank secret beside the right one': { header: header(), secrets: ['', secret] },
}

const reserialised = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2))
const otherByte = Buffer.from(body)
otherByte[10] = 0x32

const refused: Readonly<Record<string, Case>> = {
  'signed 301 s ago': at(-301),
  'signed 301 s ahead': at(301),
  'signed a day ago': at(-86_400),
  'signed a day ahead': at(86_400),
  'signed in milliseconds': { header: header(now.getTime()) },
  'signed at the epoch': { header: header(0) },
  'a fresh time put before an old signature': { header: header(nowSeconds, sign(nowSeconds - 400)) },
  'a secret of someone else': { header: header(nowSeconds, bad) },
  'a secret that was rotated out': { header: header(), secrets: [nextSecret] },
  'no secret at all': { header: header(), secrets: [] },
  'an empty secret': { header: header(nowSeconds, sign(nowSeconds, body, '')), secrets: [''] },
  'a blank secret': { header: header(nowSeconds, sign(nowSeconds, body, ' ')), secrets: [' '] },
  'a body serialised again': { header: header(), body: reserialised },
  'a body cut short': { header: header(), body: body.subarray(0, -1) },
  'a body made longer': { header: header(), body: Buffer.concat([body, Buffer.from('\n')]) },
  'a byte order mark before the body': {
    header: header(),
    body: Buffer.concat([Buffer.from('\uFEFF'), body]),
  },
  'one byte changed': { header: header(), body: otherByte },
  'an empty body': { header: header(), body: Buffer.alloc(0) },
  'bytes that decode to the same text': {
    header: header(nowSeconds, sign(nowSeconds, Buffer.from('{"a":"\uFFFD"}'))),
    body: Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]),
  },
  'bad signatures alone': { header: header(nowSeconds, bad, bad, 'f'.repeat(64)) },
  'a v0 alone': { header: `t=${nowSeconds},v0=${good}` },
  'no header': { header: undefined },
  'an empty header': { header: '' },
  'a header of commas': { header: ',,,,' },
  'a header that says nothing': { header: 'hello' },
  'a huge header': { header: `${header()},${'v1=0,'.repeat(20_000)}` },
  'no time': { header: `v1=${good}` },
  'an empty time': { header: `t=,v1=${sign('')}` },
  'two times': { header: `t=${nowSeconds},t=${nowSeconds},v1=${good}` },
  'a stale time before a fresh one': { header: `t=1,t=${nowSeconds},v1=${good}` },
  'a fresh time before a stale one': { header: `t=${nowSeconds},t=1,v1=${sign(1)}` },
  'a negative time': { header: header(-nowSeconds) },
  'a time with a sign': { header: header(`+${nowSeconds}`) },
  'a time with junk after it': { header: header(`${nowSeconds}x`) },
  'a time with a space before it': { header: header(` ${nowSeconds}`) },
  'a time with a fraction': { header: header(`${nowSeconds}.5`) },
  'a time with an exponent': { header: header('1893456e3') },
  'a time in hexadecimal': { header: header(`0x${nowSeconds.toString(16)}`) },
  'a time in other digits': { header: header('١٨٩٣٤٥٦٠٠٠') },
  'a time longer than any': { header: header(`${'0'.repeat(20)}${nowSeconds}`) },
  'a signature cut short': { header: header(nowSeconds, good.slice(0, -1)) },
  'a signature made longer': { header: header(nowSeconds, `${good}0`) },
  'an empty signature': { header: `t=${nowSeconds},v1=` },
  'a signature in upper case': { header: header(nowSeconds, good.toUpperCase()) },
  'a signature in base64': { header: header(nowSeconds, Buffer.from(good, 'hex').toString('base64')) },
  'a signature under another name': { header: `t=${nowSeconds},V1=${good}` },
  'a space before the signature': { header: `t=${nowSeconds}, v1=${good}` },
  'a signature of the body alone': {
    header: header(nowSeconds, createHmac('sha256', secret).update(body).digest('hex')),
  },
  'a signature without a key': { header: header(nowSeconds, '0'.repeat(64)) },
}

function read({ body: bytes = body, header: signature, secrets = [secret] }: Case) {
  return signedProviderEvents({ secrets, live: true, now: () => now }).read(bytes, signature)
}

describe('the signature of an event', () => {
  it.each(Object.entries(accepted))('is valid: %s', (_name, given) => {
    expect(read(given)).toMatchObject({ id: 'evt_1' })
  })

  it.each(Object.entries(refused))('is rejected with the same message: %s', (_name, given) => {
    const refusal = new DomainError('invalid', 'invalid_signature', 'Invalid webhook signature.')
    expect(() => read(given)).toThrow(refusal)
    expect(() => read(given)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'invalid_signature' }))
  })

  it('may be up to 300 s old or ahead, to the millisecond', () => {
    const readAt = (ms: number) => {
      const events = signedProviderEvents({
        secrets: [secret],
        live: true,
        now: () => new Date(now.getTime() + ms),
      })
      return () => events.read(body, header())
    }
    for (const ms of [300_000, -300_000]) expect(readAt(ms)).not.toThrow()
    for (const ms of [300_001, -300_001]) expect(readAt(ms)).toThrow()
  })

  it('of arbitrary bytes is valid if they were signed', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe])
    expect(() => read({ body: bytes, header: header(nowSeconds, sign(nowSeconds, bytes)) })).toThrow(
      expect.objectContaining({ code: 'malformed_json' }),
    )
  })
})
