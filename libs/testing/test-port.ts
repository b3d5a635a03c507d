import { randomInt } from 'node:crypto'
import { freePort } from '../runtime/free-port.js'

/** Below those that `freePort` gives to anybody, in as many parts as there may be test files at once. */
const [portMin, parts, partSize] = [20_000, 8, 1_000]
const part = Number(process.env.VITEST_POOL_ID ?? 0) % parts
let next = randomInt(partSize)

/**
 * A port on which nobody listens, out of those of this process alone: test files that run side by side would find the
 * same one before either listens on it.
 */
export function testPort(): Promise<number> {
  next = (next + 1) % partSize
  return freePort(portMin + part * partSize + next)
}
