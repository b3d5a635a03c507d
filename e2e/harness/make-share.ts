import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, ApiClient } from './api-client.js'

/** A share that was just made. */
export interface MadeShare {
  readonly id: string
  readonly share_url: string
  readonly title: string
}

/** Rows of a table with a header, in all `count` lines. */
export function csvOf(count: number): string {
  const rows = Array.from({ length: count - 1 }, (_, row) => `${row},Item ${row},${(row * 7) % 100}.50`)
  return ['id,name,price', ...rows].join('\n')
}

/**
 * Makes a share, trying again a few times where a machine under load says that it is unavailable.
 * @throws Error with the answer when it is refused.
 */
export async function makeShare(client: ApiClient, fields: object): Promise<MadeShare> {
  const create = (): Promise<Answer> =>
    client.post('/api/shares', { tool: 'csv', title: 'Shared', data: { v: 1 }, ...fields })
  let answer = await create()
  for (let tries = 1; answer.status === 503 && tries < 4; tries += 1) {
    await sleep(500)
    answer = await create()
  }
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json<MadeShare>()
}
