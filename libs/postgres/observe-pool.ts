import type pg from 'pg'
import { metrics } from '../telemetry/catalogue.js'
import { telemetry } from '../telemetry/telemetry.js'

/** Exports the connections of a pool by state, if metrics are on. */
export function observePool(pool: pg.Pool, name: string, connectionsMax: number): void {
  if (!telemetry.metrics) return
  const stops = [
    metrics.postgresPoolConnections.observe(() => [
      [[name, 'in_use'], pool.totalCount - pool.idleCount],
      [[name, 'idle'], pool.idleCount],
    ]),
    metrics.postgresPoolWaiting.observe(() => [[[name], pool.waitingCount]]),
    metrics.postgresPoolConnectionsMax.observe(() => [[[name], connectionsMax]]),
  ]
  const end = pool.end.bind(pool)
  pool.end = async () => {
    for (const stop of stops) stop()
    await end()
  }
}

/** Takes a connection from the pool, and measures how long that took. */
export async function connectObserved(pool: pg.Pool, name: string): Promise<pg.PoolClient> {
  if (!telemetry.metrics) return pool.connect()
  const startedAt = performance.now()
  const observe = (outcome: string): void =>
    metrics.postgresAcquireDuration.series(name, outcome).observe((performance.now() - startedAt) / 1_000)
  try {
    const client = await pool.connect()
    observe('ok')
    return client
  } catch (error) {
    observe('error')
    throw error
  }
}
