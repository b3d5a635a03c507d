import type { ApiClient, ApiResponse } from '../e2e/harness/api-client.js'
import { apiClient } from '../e2e/harness/api-client.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { Env } from '../e2e/harness/system-process.js'
import type { LoadRequest } from './load-order.js'

/** The highest limits there are: requests are counted but never rejected. */
export const raisedLimits: Env = {
  RATE_LIMIT_STRICT: '10000/1',
  RATE_LIMIT_STANDARD: '10000/1',
  RATE_LIMIT_FAIR_USE: '10000/1',
}

const text = 'x'.repeat(970)

/** About 1 KB; numbers have a fixed width, so that all responses have one size. */
export function smallBody(number: number): { tool: string; title: string; data: { n: number; v: string } } {
  return { tool: 'bench', title: 'A small snippet', data: { n: 100_000 + number, v: text } }
}

/** A substring of every response with the data. */
export const smallText = text

/** A user with snippets. */
export interface SmallUser {
  readonly headers: Readonly<Record<string, string>>
  readonly client: ApiClient
  readonly accountId: string
}

/** Creates this many Pro users. */
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

/** Runs `work` for every item, sixteen at a time; results are in order. */
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

/** Sends one request of a load. */
export function sendOne(baseUrl: string, { method, path, headers, body }: LoadRequest): Promise<ApiResponse> {
  return apiClient(baseUrl).request(method, path, { headers, ...(body === undefined ? {} : { body }) })
}

/** An evenly spread sample of the items, a different one each time. */
export function* sample<Item>(items: readonly Item[], count: number): Generator<Item> {
  const step = Math.max(1, Math.floor(items.length / count))
  for (let index = Math.floor(Math.random() * step); index < items.length; index += step) {
    const item = items[index]
    if (item !== undefined) yield item
  }
}
