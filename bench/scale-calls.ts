import { Agent, request } from 'node:http'
import type { Asker, ScaleRequest } from './scale-requests.js'

/** How the requests of a run reach a gateway, and as whom. */
export interface Callers {
  readonly baseUrl: string
  readonly tokens: Readonly<Record<Asker, string | null>>
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends one request on a kept connection; `ms` is the time until its last byte. */
function send(
  callers: Callers,
  { by, method, path, body }: ScaleRequest,
): Promise<{ status: number; text: string; ms: number }> {
  const token = callers.tokens[by]
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body()))
  const headers: Record<string, string | number> = {
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(payload === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
  }
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${callers.baseUrl}${path}`,
      { method: method ?? 'GET', headers, agent },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const ms = performance.now() - startedAt
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), ms })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload ?? undefined)
  })
}

/**
 * Sends a request and checks its answer.
 * @returns how many milliseconds it took.
 * @throws Error when it is not the expected one.
 */
export async function callOnce(callers: Callers, expected: ScaleRequest): Promise<number> {
  const { status, text, ms } = await send(callers, expected)
  const found = (why: string): Error => new Error(`${expected.name} (${expected.path}): ${why}`)
  if (status !== expected.status) throw found(`${status} ${text}`)
  if (expected.items !== undefined) {
    // A list has one member beside its cursor.
    const items = Object.values(JSON.parse(text)).find(Array.isArray) ?? []
    if (items.length !== expected.items) throw found(`${items.length} items instead of ${expected.items}`)
  }
  return ms
}
