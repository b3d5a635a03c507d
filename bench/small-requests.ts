import type { ApiClient, ApiResponse } from '../e2e/harness/api-client.js'
import { apiClient } from '../e2e/harness/api-client.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { Env } from '../e2e/harness/system-process.js'
import type { LoadRequest } from './load-order.js'

/** The highest limits that there are: what one user or address sends is counted, and never too much. */
export const raisedLimits: Env = {
  RATE_LIMIT_STRICT: '10000/1',
  RATE_LIMIT_STANDARD: '10000/1',
  RATE_LIMIT_FAIR_USE: '10000/1',
}

const text = 'x'.repeat(970)

/** About 1 KB; every number has as many digits, so that all responses have one size. */
export function smallBody(number: number): { tool: string; title: string; data: { n: number; v: string } } {
  return { tool: 'bench', title: 'A small snippet', data: { n: 100_000 + number, v: text } }
}

/** What every response that shows the data holds. */
export const smallText = text

/** Someone with snippets. */
export interface SmallUser {
  readonly headers: Readonly<Record<string, string>>
  readonly client: ApiClient
  readonly accountId: string
}

/** So many users who hold Pro. */
export async function openUsers(system: TestSystem, count: number): Promise<SmallUser[]> {
  const users: SmallUser[] = []
  for (let index = 0; index < count; index += 1) {
    const name = `bench-${index}`
    const client = await system.user(name, 'pro')
    const headers = { Authorization: `Bearer ${await system.issuer.token(name)}` }
    users.push({
      headers,
      client: apiClient(system.baseUrl(), headers),
      accountId: expectStatus(await client.get('/api/auth/profile'), 200).json<{ id: string }>().id,
    })
  }
  return users
}

/**
 * The response, if it has this status.
 * @throws Error otherwise.
 */
export function expectStatus(response: ApiResponse, status: number): ApiResponse {
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${response.text}`)
  return response
}

/** Does `work` for every item, sixteen at a time, and gives the results in order. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as Item, index)
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return results
}

/** Sends a request of a load by itself. */
export function sendOne(baseUrl: string, { method, path, headers, body }: LoadRequest): Promise<ApiResponse> {
  return apiClient(baseUrl).request(method, path, { headers, ...(body === undefined ? {} : { body }) })
}

/** A sample of the items, spread over all of them; another one each time. */
export function* sample<Item>(items: readonly Item[], count: number): Generator<Item> {
  const step = Math.max(1, Math.floor(items.length / count))
  for (let index = Math.floor(Math.random() * step); index < items.length; index += step) {
    const item = items[index]
    if (item !== undefined) yield item
  }
}
