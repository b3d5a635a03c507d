import { Agent, request } from 'node:http'

/** The caller: the owner of two million snippets, the one of a thousand, or anonymous. */
export type Asker = 'many' | 'few' | 'anyone'

/** A request to the large database, and its expected response. */
export interface SeededRequest {
  readonly name: string
  readonly by: Asker
  readonly method?: 'POST'
  readonly path: string
  readonly body?: () => unknown
  readonly status: number
  /** The number of items on its page. */
  readonly items?: number
  /** The indexes it may use on large tables; using another one, or none, is an error. */
  readonly indexes: readonly string[]
  /** The maximum of rows its statements may read, returned or not. */
  readonly rowsMax: number
}

/** Ids and cursors in the seeded data, read from the database. */
export interface SeededPlaces {
  /** How many snippets the owner of many has. */
  readonly rows: number
  /** Ids of snippets of the owner of many. */
  readonly snippets: readonly string[]
  /** The id of a live share. */
  readonly share: string
  /** The id of a history entry of the owner of many. */
  readonly entry: string
  /** Cursors to the middle of the lists of the owner of many. */
  readonly middle: { readonly snippets: string; readonly shares: string; readonly entries: string }
}

/** A page has 20 items, and its statement reads one more. */
export const pageRows = 21

/** The newest page of snippets. */
export const snippetPage: SeededRequest = {
  name: 'page',
  by: 'many',
  path: '/api/snippets',
  status: 200,
  items: 20,
  indexes: ['snippet_newest'],
  rowsMax: pageRows,
}

/** How to reach a gateway, and with which credentials. */
export interface Callers {
  readonly baseUrl: string
  readonly tokens: Readonly<Record<Asker, string | null>>
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends one request on a kept-alive connection; `ms` is the time to the last byte. */
function send(
  callers: Callers,
  { by, method, path, body }: SeededRequest,
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
 * Sends a request and checks its response.
 * @returns the milliseconds it took.
 * @throws Error on an unexpected response.
 */
export async function callOnce(callers: Callers, expected: SeededRequest): Promise<number> {
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
