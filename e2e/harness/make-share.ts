import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient, ApiResponse } from './api-client.js'

/** A new share. */
export interface MadeShare {
  readonly id: string
  readonly share_url: string
  readonly title: string
}

/** Rows of a table with a header, `count` lines in all. */
export function csvOf(count: number): string {
  const rows = Array.from({ length: count - 1 }, (_, row) => `${row},Item ${row},${(row * 7) % 100}.50`)
  return ['id,name,price', ...rows].join('\n')
}

/**
 * Creates a share, retrying a few times if an overloaded machine reports it unavailable.
 * @throws Error with the response when it is rejected.
 */
export async function makeShare(client: ApiClient, fields: object): Promise<MadeShare> {
  const create = (): Promise<ApiResponse> =>
    client.post('/api/shares', { tool: 'csv', title: 'Shared', data: { v: 1 }, ...fields })
  let response = await create()
  for (let tries = 1; response.status === 503 && tries < 4; tries += 1) {
    await sleep(500)
    response = await create()
  }
  if (response.status !== 201) throw new Error(response.text)
  return response.json<MadeShare>()
}
