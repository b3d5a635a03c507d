import { setTimeout as sleep } from 'node:timers/promises'
import { fromDriverError, isTransient, isUnavailable } from './errors.js'
import { acquire, type Pool } from './pool.js'
import type { Session } from './session.js'

const retriesMax = 3

async function attempt<T>(pool: Pool, work: (tx: Session) => Promise<T>): Promise<T> {
  const session = await acquire(pool)
  let broken: Error | undefined
  try {
    await session.query('BEGIN')
    const result = await work(session)
    await session.query('COMMIT')
    return result
  } catch (error) {
    // A session that does not respond would not respond to a rollback either; the server ends the transaction.
    if (error instanceof Error && isUnavailable(error)) broken = error
    else {
      await session.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError
      })
    }
    throw error
  } finally {
    session.client.release(broken)
  }
}

/**
 * Runs `work` in one transaction. A deadlock or serialization failure is retried up to three times with jitter, so
 * `work` must have no effect beyond the transaction.
 * @throws DomainError whatever `work` throws, or `unavailable` if the database cannot serve it now.
 */
export async function transaction<T>(pool: Pool, work: (tx: Session) => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(pool, work)
    } catch (error) {
      if (!isTransient(error) || retries === retriesMax) throw fromDriverError(error)
      await sleep(Math.random() * 20 * 2 ** retries)
    }
  }
}
