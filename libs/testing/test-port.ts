import { randomInt } from 'node:crypto'
import { freePort } from '../runtime/free-port.js'

/** Below those that `freePort` gives to anyone, in more parts than there are ever test files on the way. */
const [portMin, parts, partSize] = [20_000, 40, 200]
// One for each file of a run. The id of its pool would not do: two files that run side by side may have the same.
const worker = process.env.VITEST_WORKER_ID
const part = worker === undefined ? 0 : 1 + (Number(worker) % (parts - 1))
let next = randomInt(partSize)

/**
 * A port on which no one listens, out of those of this process alone: test files that run side by side would find the
 * same one before either listens on it.
 */
export function testPort(): Promise<number> {
  next = (next + 1) % partSize
  return freePort(portMin + part * partSize + next)
}
