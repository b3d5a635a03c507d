import { metrics } from '#libs/telemetry/catalogue.js'
import { DamagedData } from '../domain/stored-data.js'

/** There from the start, at 0: of a count that begins at 1 no alert sees the first. */
const damagedReads = metrics.damagedReads.series()

/** Counts an error that tells of damaged data; others are none of its business. */
export function noteDamage(error: unknown): void {
  if (error instanceof DamagedData) damagedReads.value += 1
}
