import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Changes the first page of some owners until it is stopped. */
export interface PageChanger {
  /** How many changes there have been. */
  readonly count: number
  /** @throws Error when a change has failed. */
  stop(): Promise<void>
}

/** The version of a snippet is part of its ETag, but of no response body: pages are new and have the same bytes. */
const change = `
  UPDATE content.snippet SET version = snippet.version + 1
  FROM unnest($1::text[], $2::text[]) AS newest (owner_id, id)
  WHERE snippet.owner_id = newest.owner_id AND snippet.id = newest.id`

/**
 * Changes the newest snippet of every owner as often as an owner's page is requested, so that hardly any page is the one
 * that was sent before. Whoever is measured meanwhile bears the same changes.
 */
export async function startPageChanger(
  databaseUrl: string,
  newest: readonly { readonly ownerId: string; readonly id: string }[],
): Promise<PageChanger> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: '-c synchronous_commit=off',
  })
  await client.connect()
  const values = [newest.map(({ ownerId }) => ownerId), newest.map(({ id }) => id)]
  let stopped = false
  let count = 0
  const changing = (async () => {
    while (!stopped) {
      const { rowCount } = await client.query({ name: 'change', text: change, values })
      if (rowCount !== newest.length) throw new Error(`${rowCount} of ${newest.length} pages were changed`)
      count += 1
      await sleep(2)
    }
  })()
  changing.catch(() => {})
  return {
    get count() {
      return count
    },
    async stop() {
      stopped = true
      await changing.finally(() => client.end())
    },
  }
}
