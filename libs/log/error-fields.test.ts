import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { errorFields } from './error-fields.js'
import { createLogger } from './logger.js'

const secret = 'what someone wrote'

test('an error has its type, message, code and stack', () => {
  const error = Object.assign(new TypeError('it broke'), { code: 'E_BROKEN', extra: 3 })
  const fields = errorFields(error)
  expect(fields).toMatchObject({ type: 'TypeError', message: 'it broke', code: 'E_BROKEN' })
  expect(fields.stack).toMatch(/^TypeError: it broke\n {4}at .*error-fields\.test\.ts/)
  expect(fields).not.toHaveProperty('extra')
})

test('causes and aggregated errors are included, to a limited depth', () => {
  const error = new Error('outer', { cause: new AggregateError([new Error('first')], 'several') })
  expect(errorFields(error)).toMatchObject({
    cause: { message: 'several', errors: [{ message: 'first' }] },
  })
  const endless = new Error('round')
  endless.cause = endless
  expect(JSON.stringify(errorFields(endless)).match(/"message":"round"/g)).toHaveLength(6)
})

test('drivers’ extra properties of an error are left out', () => {
  const ofPostgres = Object.assign(new Error('duplicate key value violates unique constraint "one"'), {
    ...{ code: '23505', severity: 'ERROR', constraint: 'one', detail: `Key (title)=(${secret}) exists.` },
    ...{ where: secret, internalQuery: secret },
  })
  const ofCall = Object.assign(new Error('13 INTERNAL'), { code: 13, metadata: { secret }, details: secret })
  for (const error of [ofPostgres, ofCall]) expect(JSON.stringify(errorFields(error))).not.toContain(secret)
  expect(errorFields(ofPostgres)).toMatchObject({ code: '23505', constraint: 'one' })
})

test('messages that quote input are withheld, in the stack as well', () => {
  class StripeInvalidRequestError extends Error {}
  const quoting = [
    Object.assign(new Error(`invalid input syntax: "${secret}"`), { code: '22P02', severity: 'ERROR' }),
    new StripeInvalidRequestError(`No such customer: ${secret}\nsecond line`),
    new SyntaxError(`Unexpected token in "${secret}"`),
  ]
  for (const error of quoting) {
    expect(JSON.stringify(errorFields(new Error('outer', { cause: error })))).not.toContain(secret)
    expect(errorFields(error).stack).toContain('error-fields.test.ts')
  }
})

test('thrown values other than errors are left out', () => {
  expect(JSON.stringify(errorFields(secret))).not.toContain(secret)
})

test('loggers write errors this way', () => {
  const lines: string[] = []
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  createLogger('test', 'info', out).error({ err: Object.assign(new Error('it broke'), { detail: secret }) })
  expect(lines.join('')).toContain('it broke')
  expect(lines.join('')).not.toContain(secret)
})
