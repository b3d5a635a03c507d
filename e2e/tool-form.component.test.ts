import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let anonymous: ApiClient

beforeAll(async () => {
  system = await startSystem({ env: { PLAN_FREE_DATA_BYTES: '2000000', TRUSTED_PROXIES: '127.0.0.0/8' } })
  anonymous = system.anyone()
})
afterAll(() => system?.stop())

const exact = '{"id":12345678901234567890,"a":1.0,"a":"\\u00e9"}'
const formatted = '{\n  "id": 12345678901234567890,\n  "a": 1.0,\n  "a": "\\u00e9"\n}\n'

const sendForm = (name: string, fields: Record<string, string> | URLSearchParams, address: string) =>
  anonymous.request('POST', `/tools/${name}`, {
    body: String(new URLSearchParams(fields)),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Forwarded-For': address,
    },
  })

describe('the form of a page, without scripts', () => {
  it('responds with the output as text that runs nothing, to anyone', async () => {
    const fields = new URLSearchParams({ 'input-text': exact.replace(',', ',\r\n'), indent: '2' })
    // As a box that is checked, after the hidden field that stands for one that is not.
    for (const value of ['false', 'true']) fields.append('final_newline', value)
    const response = await sendForm('json-format', fields, '198.51.100.1')
    expect([response.status, response.text]).toEqual([200, formatted])
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    const binary = await sendForm('base64-decode', { 'input-text': '/wAB' }, '198.51.100.1')
    expect(binary.headers.get('content-disposition')).toBe('attachment; filename="base64-decode.bin"')
  })

  it('says what is wrong with input, options and names', async () => {
    const bad = await sendForm('json-format', { 'input-text': '{"a": 1,\r\n "b": tru}' }, '198.51.100.2')
    expect(bad.json()).toMatchObject({ status: 400, code: 'invalid_input', line: 2 })
    const option = await sendForm('json-format', { 'input-text': '1', indent: '99' }, '198.51.100.2')
    expect(option.json()).toMatchObject({ code: 'validation_failed' })
    expect((await sendForm('json-fromat', { 'input-text': '1' }, '198.51.100.2')).status).toBe(404)
  })

  it('that another app sends where there is no service worker is not read', async () => {
    const shared = await anonymous.request('POST', '/tools/shared', { body: 'x'.repeat(100_000) })
    expect([shared.status, shared.headers.get('location'), shared.text]).toEqual([303, '/tools', ''])
  })

  it('is small, makes little, saves nothing, and is sent a few times a minute', async () => {
    const large = { 'input-text': 'x'.repeat(65_536) }
    expect((await sendForm('base64-encode', large, '198.51.100.3')).status).toBe(413)
    const deep = { 'input-text': `${'['.repeat(500)}${'1,'.repeat(10_000)}1${']'.repeat(500)}`, indent: '8' }
    expect((await sendForm('json-format', deep, '198.51.100.3')).json()).toMatchObject({
      status: 413,
      code: 'tool_too_large',
    })
    const saved = await sendForm('json-minify', { 'input-text': '[ ]', save: 'true' }, '198.51.100.3')
    expect([saved.status, saved.text]).toEqual([200, '[]'])
    const rest = await Promise.all(
      [1, 2, 3].map(() => sendForm('json-minify', { 'input-text': '1' }, '198.51.100.3')),
    )
    expect(rest.map(({ status }) => status).sort()).toEqual([200, 200, 429])
  })
})

it('TOOLS=off removes them', async () => {
  const other = await startSystem({ env: { TOOLS: 'off' } })
  try {
    const user = await other.user('eve', 'pro')
    expect((await user.get('/api/tools')).status).toBe(404)
    expect((await user.post('/api/tools/json-format', {})).status).toBe(404)
    expect((await user.post('/tools/json-format', {})).status).toBe(405)
  } finally {
    await other.stop()
  }
})
