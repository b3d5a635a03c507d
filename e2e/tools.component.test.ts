import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import { toolInputField } from '#shared/core/tool-form-field.js'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient
let fred: ApiClient
let anonymous: ApiClient

beforeAll(async () => {
  system = await startSystem({ env: { PLAN_FREE_DATA_BYTES: '2000000', TRUSTED_PROXIES: '127.0.0.0/8' } })
  ada = await system.user('ada', 'pro')
  fred = await system.user('fred')
  anonymous = system.anyone()
})
afterAll(() => system?.stop())

const run = (
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  client = ada,
): Promise<ApiResponse> =>
  client.request('POST', `/api/tools/${path}`, {
    body,
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  })

const exact = '{"id":12345678901234567890,"a":1.0,"a":"\\u00e9"}'
const formatted = '{\n  "id": 12345678901234567890,\n  "a": 1.0,\n  "a": "\\u00e9"\n}\n'

describe('the list of tools', () => {
  it('needs no credentials and says what each tool takes', async () => {
    const response = await anonymous.get('/api/tools')
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const { tools: listed } = response.json<{ tools: Record<string, unknown>[] }>()
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    expect(listed.find(({ name }) => name === 'json-format')).toMatchObject({
      input: { media_type: 'application/json', extension: 'json' },
      options: { type: 'object', properties: { indent: expect.anything() } },
      changes: ['comments and trailing commas, if they are dropped'],
    })
    expect(listed.find(({ name }) => name === 'ndjson-to-json')).toMatchObject({ changes: [] })
  })
})

describe('a run', () => {
  it('says in a header what the tool notes, also of what it keeps', async () => {
    const path = 'sql-format?dialect=transactsql'
    const notes = [{ line: 2, column: 9, message: expect.stringMatching(/^A statement is left as it is/) }]
    for (const [query, status] of [
      [path, 200],
      [`${path}&save=true`, 201],
    ] as const) {
      const response = await run(query, 'select 1;\nselect é||b')
      expect(response.status, response.text).toBe(status)
      expect(JSON.parse(response.headers.get('snipkeep-notes') ?? '')).toEqual(notes)
    }
    expect((await run(path, 'select 1')).headers.get('snipkeep-notes')).toBeNull()
    const many = await run(path, 'select a||b;\n'.repeat(100))
    const header = many.headers.get('snipkeep-notes') ?? ''
    expect(header.length).toBeLessThanOrEqual(2_048)
    const said = JSON.parse(header) as { line?: number; message: string }[]
    expect(said.slice(0, -1).map(({ line }) => line)).toEqual(said.slice(1).map((_note, at) => at + 1))
    expect(said.length).toBeGreaterThan(10)
    expect(said.at(-1)).toEqual({ message: expect.stringMatching(/^There may be more notes/) })
  })

  it('of a form has notes, too, and reads its text as UTF-8 whatever encoding is chosen', async () => {
    const send = (tool: string, fields: Record<string, string>): Promise<ApiResponse> =>
      anonymous.request('POST', `/tools/${tool}`, {
        body: new URLSearchParams(fields).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '192.0.2.77' },
      })
    const noted = await send('sql-format', {
      dialect: 'transactsql',
      encoding: 'utf-16le',
      [toolInputField]: 'select 1;\r\nselect é||b',
    })
    expect([noted.status, noted.text]).toEqual([200, expect.stringContaining('é||b')])
    expect(JSON.parse(noted.headers.get('snipkeep-notes') ?? '')).toEqual([
      { line: 2, column: 9, message: expect.stringMatching(/^A statement is left as it is/) },
    ])
    const hash = await send('hash', { encoding: 'base64', [toolInputField]: 'a' })
    expect(hash.text.trim()).toBe(createHash('sha256').update('a').digest('base64'))
  })

  // The registry's test runs all of them; each run here starts a thread.
  it.each(tools)('of $name gives the output of the example with most options', async (tool) => {
    const optionsOf = ({ options = {} }: (typeof tool.examples)[number]) =>
      Object.entries(options).map(([key, value]): [string, string] => [key, String(value)])
    const [example] = tool.examples.toSorted((one, other) => optionsOf(other).length - optionsOf(one).length)
    if (example === undefined) throw new Error('there is no example')
    const response = await run(`${tool.name}?${new URLSearchParams(optionsOf(example))}`, example.input)
    expect([response.status, response.text], response.text).toEqual([200, example.output])
    expect(response.headers.get('content-type')).toBe(`${tool.output.mediaType}; charset=utf-8`)
  })

  it('takes gzip, and input of any media type', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' }
    expect((await run('json-format', gzipSync(exact), headers)).text).toBe(formatted)
    expect((await run('json-format', gzipSync(exact).subarray(0, 20), headers)).status).toBe(400)
  })

  it('streams large output while the input still arrives', async () => {
    const url = new URL(`${system.baseUrl()}/api/tools/json-minify`)
    const { key } = await makeKey(system, ada)
    const sent = request(url, { method: 'POST', headers: { 'X-API-Key': key } })
    const item = `  "${'x'.repeat(1_000)}"`
    sent.write('[\n')
    for (let index = 0; index < 2_500; index += 1) sent.write(`${item},\n`)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect([response.statusCode, response.headers['content-length']]).toEqual([200, undefined])
    const whole = text(response)
    sent.end('null]')
    expect(await whole).toBe(`[${`${item.trim()},`.repeat(2_500)}null]`)
  })

  it('says where bad input is wrong', async () => {
    const response = await run('json-format', '{"a": 1,\n "b": tru}')
    expect(response.status).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_input', line: 2, offset: expect.any(Number) })
    expect(response.json().detail).toMatch(/line 2, column \d+/)
  })

  it('breaks off the response if input turns out to be bad after a megabyte of output', async () => {
    const bad = `[${'"x",'.repeat(600_000)}oops]`
    await expect(run('json-minify', bad)).rejects.toThrow()
    expect((await run('json-minify', '[ ]')).text).toBe('[]')
  })

  it('lists every wrong parameter at once', async () => {
    const response = await run('json-format?indent=99&typo=1&typo=2&save=no', '{}')
    expect(response.status).toBe(400)
    const found = response.json<{ errors: { pointer: string; code: string }[] }>().errors
    expect(found.map(({ pointer }) => pointer)).toContain('save')
    const options = await run('json-format?indent=99&typo=1&typo=2', '{}')
    expect(options.json()).toMatchObject({
      code: 'unknown_parameter',
      detail: expect.stringMatching(/^typo is not an option of json-format\./),
    })
    expect(options.json<{ errors: unknown[] }>().errors).toMatchObject([
      { pointer: 'typo', code: 'repeated' },
      { pointer: 'typo', code: 'unknown_parameter' },
      { pointer: 'typo', code: 'unknown_parameter' },
    ])
    expect((await run('json-format?indent=99', '{}')).json()).toMatchObject({ code: 'validation_failed' })
  })

  it('is refused without credentials, beyond the size of the plan, and of a tool that does not exist', async () => {
    expect((await run('json-format', '{}', {}, anonymous)).status).toBe(401)
    expect((await run('json-fromat', '{}')).status).toBe(404)
    const large = `"${'x'.repeat(2_000_000)}"`
    expect((await run('json-format', large, {}, fred)).json()).toMatchObject({
      code: 'data_too_large',
      limit: 2_000_000,
      actual: 2_000_002,
    })
    const packed = await run(
      'json-minify',
      gzipSync(`${' '.repeat(2_000_000)}1`),
      { 'Content-Encoding': 'gzip' },
      fred,
    )
    expect(packed.json()).toMatchObject({ status: 413, code: 'data_too_large' })
  })

  it('is recorded in the history only if the caller wants it, without any content', async () => {
    await run('json-format', '{"secret":1}')
    await run('json-format?history=true', '{"secret":2}')
    const { history } = (await ada.get('/api/history?tool=json-format')).json<{ history: object[] }>()
    expect(history).toMatchObject([
      { tool: 'json-format', action: 'run', metadata: { input_bytes: 12, output_bytes: 18 } },
    ])
    expect(JSON.stringify(history)).not.toContain('secret')
  })
})

describe('an output that is kept', () => {
  it('becomes a new snippet, byte for byte', async () => {
    const response = await run('json-format?save=true&title=Kept', exact)
    expect(response.status, response.text).toBe(201)
    const { id, tool, title } = response.json<{ id: string; tool: string; title: string }>()
    expect([tool, title]).toEqual(['json-format', 'Kept'])
    expect((await ada.get(`/api/snippets/${id}/raw?pointer=/json`)).text).toBe(formatted)
  })

  it('replaces the snippet of its name', async () => {
    expect((await run('csv-to-json?save=@latest&key=rows', 'id\n1\n')).status).toBe(201)
    const response = await run('csv-to-json?save=@latest&key=rows', 'id\n2\n')
    expect([response.status, response.json().changed]).toEqual([200, true])
    expect((await ada.get('/api/snippets/@latest/raw?pointer=/rows')).text).toContain('"2"')
  })

  it('becomes a share, and the response can be just its address', async () => {
    const headers = { Accept: 'text/plain' }
    const response = await run('json-minify?share=true&expires_in=3600', formatted, headers)
    expect([response.status, response.text]).toEqual([201, expect.stringMatching(/\/s\/\w{22}\n$/)])
    const id = response.text.trim().split('/').at(-1)
    expect((await anonymous.get(`/api/shares/${id}/raw?pointer=/json`)).text).toBe(exact)
  })

  it('becomes a gated share', async () => {
    const headers = { 'Snipkeep-Share-Password': 'open sesame' }
    const made = await run('json-minify?share=true&max_views=3', formatted, headers)
    expect(made.json()).toMatchObject({ gated: { password: true, views_left: 3 } })
    const { id, gated } = (await run('json-minify?share=true&burn=true', formatted)).json()
    expect(gated).toEqual({ password: false, views_left: 1 })
    expect((await anonymous.get(`/api/shares/${id}/raw`)).status).toBe(403)
    for (const query of ['burn=true', 'save=true&max_views=2', 'share=true&burn=true&max_views=2'])
      expect((await run(`json-minify?${query}`, formatted, headers)).status, query).toBe(400)
  })

  it('is made once for the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const first = await run('json-format?save=true', exact, headers)
    const second = await run('json-format?save=true', exact, headers)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.json().id).toBe(first.json().id)
  })

  it('is nothing if the input is bad, and not both snippet and share', async () => {
    const before = (await ada.get('/api/auth/profile')).json<{ usage: { snippets: number } }>().usage.snippets
    expect((await run('json-format?save=true', '{"a":')).json()).toMatchObject({ code: 'invalid_input' })
    expect((await run('json-format?save=true&share=true', '{}')).status).toBe(400)
    const after = (await ada.get('/api/auth/profile')).json<{ usage: { snippets: number } }>().usage.snippets
    expect(after).toBe(before)
  })

  it('needs a key that may write, while a run does not', async () => {
    const { client: reader } = await makeKey(system, ada, { scopes: ['read'] })
    expect((await run('json-format', '{}', {}, reader)).status).toBe(200)
    expect((await run('json-format?save=true', '{}', {}, reader)).json()).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    })
    expect((await run('json-format?save=true&typo=1', '{}', {}, reader)).status).toBe(403)
  })
})

/** As a browser sends it; each from a client of its own, since few are admitted a minute. */
