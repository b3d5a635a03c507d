import { randomInt } from 'node:crypto'
import { freePort } from '../runtime/free-port.js'

/** Below the ports that `freePort` returns, with more parts than test files ever run at once. */
const [portMin, parts, partSize] = [20_000, 40, 200]
// One part for each file of a run; the pool's id would not do, because concurrent files may share it. Another run on
// this machine, of another parent, has others.
const worker = process.env.VITEST_WORKER_ID
const part = worker === undefined ? 0 : 1 + ((process.ppid + Number(worker)) % (parts - 1))
let next = randomInt(partSize)

/**
 * A free port from a range of this process alone: concurrent test files could otherwise find the same port
 * before either listens on it.
 */
export function testPort(): Promise<number> {
  next = (next + 1) % partSize
  return freePort(portMin + part * partSize + next)
}
