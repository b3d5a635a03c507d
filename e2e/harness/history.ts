import { expect } from 'vitest'
import type { ApiClient } from './api-client.js'

export interface HistoryEntry {
  readonly id: string
  readonly tool: string
  readonly title: string | null
  readonly created_at: string
}

interface HistoryPage {
  readonly history: readonly HistoryEntry[]
  readonly next_cursor: string | null
}

export async function listHistory(client: ApiClient, query = ''): Promise<HistoryPage> {
  const response = await client.get(`/api/history${query}`)
  expect(response.status).toBe(200)
  return response.json<HistoryPage>()
}

/** The entries of all pages. */
export async function listAllHistory(client: ApiClient, query = ''): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await listHistory(client, `?limit=100&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    entries.push(...page.history)
    cursor = page.next_cursor
  }
  return entries
}

export async function recordEntry(client: ApiClient, fields: object = {}): Promise<HistoryEntry> {
  const response = await client.post('/api/history', { tool: 'csv', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.json<HistoryEntry>()
}
