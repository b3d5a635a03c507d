import { expect } from 'vitest'
import type { ApiClient, ApiResponse } from './api-client.js'
import type { ApiSystem } from './api-system.js'

/** Exports an account. */
export async function download(
  from: Pick<ApiSystem, 'baseUrl' | 'issuer'>,
  user: string,
  query = '',
): Promise<Buffer> {
  const response = await fetch(`${from.baseUrl()}/api/export${query}`, {
    headers: { Authorization: `Bearer ${await from.issuer.token(user)}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="snipkeep-[-0-9]+\.tar\.gz"$/,
  )
  return Buffer.from(await response.arrayBuffer())
}

/** Imports an archive. */
export const upload = (user: ApiClient, archive: Uint8Array, query = ''): Promise<ApiResponse> =>
  user.request('POST', `/api/import${query}`, {
    body: archive,
    headers: { 'Content-Type': 'application/gzip' },
  })

/** A line of an import's response. */
export interface Line {
  readonly path?: string
  readonly result?: string
  readonly id?: string
  readonly share_url?: string
  readonly reason?: string
  readonly warnings?: readonly Readonly<Record<string, unknown>>[]
  readonly problem?: {
    readonly code: string
    readonly status: number
    readonly detail: string
    readonly errors?: readonly unknown[]
  }
  readonly summary?: Readonly<Record<string, number>>
}

/** The lines of an import's response. */
export function linesOf(response: ApiResponse): readonly Line[] {
  expect(response.status, response.text).toBe(200)
  return response.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export const summaryOf = (response: ApiResponse) => linesOf(response).at(-1)?.summary

/** Creates a snippet with this data, byte for byte; returns its id. */
export const saved = async (user: ApiClient, data: string, fields: object = {}): Promise<string> => {
  const head = JSON.stringify({ tool: 'csv', title: 'T', ...fields }).slice(0, -1)
  const body = `${head},"data":${data}}`
  const made = await user.request('POST', '/api/snippets', {
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  expect(made.status, made.text).toBe(201)
  return made.json<{ id: string }>().id
}

export const large = `{"csv":"${'0123456789abcdef'.repeat(20_000)}"}`
export const exact = '{ "b":1.0, "a":1e400, "a":"\\u0000\\ud800", "ü":[12345678901234567890] }'

/** An account with everything that can be exported. */
export async function fill(user: ApiClient, snippets: number, shares: number): Promise<void> {
  const named = await saved(user, exact, { name: 'exact', title: 'Ünï "x"', tags: ['b', 'a'] })
  for (const data of ['{"v":2}', large]) {
    const put = await user.request('PUT', `/api/snippets/${named}`, {
      body: `{"tool":"json","title":"Newer","tags":["c"],"data":${data}}`,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(put.status).toBe(200)
  }
  for (let n = 1; n < snippets; n += 1) await saved(user, `{"n":${n}}`, { title: `Number ${n}` })
  for (let n = 0; n < shares; n += 1) {
    const body = { tool: 'csv', title: `Share ${n}`, data: { n, text: 'x'.repeat(n === 0 ? 100_000 : 1) } }
    const made = await user.post('/api/shares', n === 1 ? { ...body, expires_in: 3_600 } : body)
    expect(made.status).toBe(201)
  }
  const metadata = '{ "n":1.0, "n":1e400 }'
  for (const title of ['older', 'newer'])
    await user.request('POST', '/api/history', {
      body: `{"tool":"csv","title":"${title}","metadata":${metadata}}`,
      headers: { 'Content-Type': 'application/json' },
    })
}
