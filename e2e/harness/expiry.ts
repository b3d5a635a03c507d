import pg from 'pg'
import type { ApiSystem } from './api-system.js'

/** Expires the records in this database, as if time had passed. */
export function expiryIn(databaseUrl: string): Pick<ApiSystem, 'expireKey' | 'expireShares'> {
  const change = async (text: string, values: readonly unknown[]): Promise<void> => {
    const db = new pg.Client({ connectionString: databaseUrl })
    await db.connect()
    try {
      await db.query(text, [...values])
    } finally {
      await db.end()
    }
  }
  return {
    expireKey: (id) =>
      change("UPDATE identity.api_key SET expires_at = now() - interval '1 second' WHERE id = $1", [id]),
    expireShares: (ids, inMs) =>
      change(
        "UPDATE content.share SET expires_at = now() + $2 * interval '1 millisecond' WHERE share.id = ANY($1)",
        [ids, inMs],
      ),
  }
}
