import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { createPointerLocators } from '../../data/pointer-locator.js'
import { readComparison } from './read-comparison.js'

const read = (body: string) => readComparison(Buffer.from(body), createPointerLocators())

/** The error code, and the pointer and code of each field error. */
async function refusal(body: string): Promise<string> {
  const error: unknown = await read(body).catch((caught: unknown) => caught)
  if (!(error instanceof DomainError)) return 'accepted'
  const { errors = [] } = error.details
  const places = Array.isArray(errors) ? errors.map(({ pointer, code }) => ` ${pointer} ${code}`) : []
  return error.code + places.join()
}

const nested = (levels: number): string => `{"v":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('the body of a comparison', () => {
  it('keeps the bytes of data, wherever it appears', async () => {
    const { fields, data } = await read(
      ' {"limit":5,"b":{"data":{"id":1.10,"id":12345678901234567890 },"pointer":"/id"},"a":{"snippet":"@x"}}\n',
    )
    expect(data.a).toBeNull()
    expect(data.b?.toString()).toBe('{"id":1.10,"id":12345678901234567890 }')
    expect(fields).toMatchObject({ a: { snippet: '@x' }, b: { pointer: '/id' }, limit: 5, numbers: 'exact' })
  })

  it('may hold large data on both sides', async () => {
    const large = `{"v":"${'x'.repeat(300_000)}"}`
    const { data } = await read(`{"a":{"data":${large}},"b":{"data":${large}}}`)
    expect([data.a?.toString() === large, data.b?.toString() === large]).toEqual([true, true])
  })

  it('may nest data up to the usual depth, and no deeper', async () => {
    expect(await refusal(`{"a":{"data":${nested(512)}},"b":{"data":{}}}`)).toBe('accepted')
    expect(await refusal(`{"a":{"data":${nested(513)}},"b":{"data":{}}}`)).toBe('malformed_json  too_deep')
  })

  it.each([
    ['', 'malformed_json'],
    ['[]', 'malformed_json'],
    ['{"a":', 'malformed_json'],
    ['{"a":{"data":{"x":01}},"b":{"data":{}}}', 'malformed_json'],
    ['{"a":{"data":{}},"b":{"data":{}}} x', 'malformed_json'],
    ['{}', 'validation_failed /a required, /b required'],
    ['{"a":1,"b":{"share":"x"}}', 'validation_failed /a invalid_type'],
    ['{"a":{"data":{}},"b":{}}', 'validation_failed /b ambiguous'],
    ['{"a":{"data":{},"share":"x"},"b":{"data":{}}}', 'validation_failed /a ambiguous'],
    ['{"a":{"data":{}},"b":{"share":"x","version":1}}', 'validation_failed /b/version invalid'],
    ['{"a":{"data":{}},"b":{"snippet":"x","version":0}}', 'validation_failed /b/version too_small'],
    ['{"a":{"data":[]},"b":{"data":{}}}', 'validation_failed /a/data not_an_object'],
    ['{"a":{"data":{}},"b":{"data":{}},"colour":1}', 'unknown_field /colour unknown_field'],
    ['{"a":{"data":{},"colour":1},"b":{"data":{}}}', 'unknown_field /a/colour unknown_field'],
    ['{"a":{"data":{},"data":{}},"b":{"data":{}}}', 'validation_failed /a/data duplicate_field'],
    ['{"a":{"data":{}},"b":{"data":{}},"key":"x","key":"y"}', 'validation_failed /key duplicate_field'],
    ['{"a":{"data":{}},"b":{"data":{}},"format":"xml"}', 'validation_failed /format invalid_value'],
    ['{"a":{"data":{}},"b":{"data":{}},"limit":1001}', 'validation_failed /limit too_large'],
    [`{"a":{"data":{}},"b":{"data":{}},"key":"${'x'.repeat(70_000)}"}`, 'data_too_large'],
  ])('is rejected: %.60s', async (body, expected) => expect(await refusal(body)).toBe(expected))
})
