import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A schema of one test file; `migrate` makes it, with `role: null`. */
export interface TestSchema {
  readonly url: string
  readonly schema: string
  /** Removes the schema with everything in it. */
  drop(): Promise<void>
}

/** A name for a schema that no other test has, on the server that the setup provides. */
export async function createTestSchema(prefix: string): Promise<TestSchema> {
  const url = inject('databaseUrl')
  const schema = `${prefix}_${randomBytes(6).toString('hex')}`
  return {
    url,
    schema,
    async drop() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`)
      } finally {
        await client.end()
      }
    },
  }
}
