import { metrics } from '#libs/telemetry/catalogue.js'
import { DataCorruptionError } from '../domain/stored-data.js'

/** Exported from the start, at 0: an alert can't see the first increase of a counter that begins at 1. */
const corruptReads = metrics.damagedReads.series()

/** Counts errors that mean corrupt data, and no others. */
export function countCorruption(error: unknown): void {
  if (error instanceof DataCorruptionError) corruptReads.inc()
}
