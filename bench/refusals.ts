import { type ChildProcess, fork } from 'node:child_process'
import { type ApiClient, apiClient } from '../e2e/harness/api-client.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { SystemProcess } from '../e2e/harness/system-process.js'

/** What a request costs in processor time, over all processes but the database, in microseconds. */
export interface RefusalFigures {
  readonly servedMicros: number
  readonly refusedMicros: number
  /** The same in the gateway alone. */
  readonly gateway: { readonly servedMicros: number; readonly refusedMicros: number }
  /** A 429 of `node:http` alone, which nothing can undercut. */
  readonly bareMicros: number
}

/** The budget of a user while this is measured; all beyond it is refused. */
export const refusalsRate = { requests: 4_000, seconds: 600 }
const refusedCount = 12_000
const atOnce = 16

async function cpuMicros(one: SystemProcess): Promise<number> {
  return ((await one.ask('read')) as { cpuMicros: number }).cpuMicros
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
}

/** What an answer of a bare server costs, in microseconds of processor time. */
async function measureBare(): Promise<number> {
  const child = fork('bench/bare-server.mjs', [], { execArgv: [] })
  try {
    const { port } = await nextMessage<{ port: number }>(child)
    const client = apiClient(`http://127.0.0.1:${port}`)
    const spent = async (): Promise<number> => {
      child.send('read')
      return (await nextMessage<{ cpuMicros: number }>(child)).cpuMicros
    }
    await sendMany(refusedCount / 4, 429, () => client.get('/'))
    const before = await spent()
    await sendMany(refusedCount, 429, () => client.get('/'))
    return ((await spent()) - before) / refusedCount
  } finally {
    child.kill()
  }
}

async function sendMany(
  count: number,
  status: number,
  send: () => ReturnType<ApiClient['get']>,
): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const answer = await send()
      if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Reads a small snippet until the budget is used up, then on: what an answer costs, and what a refusal. */
export async function measureRefusals(system: TestSystem): Promise<RefusalFigures> {
  const user = await system.user('refused', 'pro')
  const made = await user.post('/api/snippets', { tool: 'b', title: 'Small', data: { v: 'x'.repeat(1_000) } })
  const path = `/api/snippets/${made.json<{ id: string }>().id}`
  const watched = [...system.gateways, ...system.contents, ...system.identities]
  const measure = async (count: number, status: number): Promise<{ all: number; gateway: number }> => {
    const before = await Promise.all(watched.map(cpuMicros))
    await sendMany(count, status, () => user.get(path))
    const after = await Promise.all(watched.map(cpuMicros))
    const spent = after.map((micros, index) => (micros - (before[index] ?? 0)) / count)
    return { all: spent.reduce((sum, one) => sum + one, 0), gateway: spent[0] ?? 0 }
  }
  // Half of the budget warms everything up.
  await sendMany(refusalsRate.requests / 2 - 1, 200, () => user.get(path))
  const served = await measure(refusalsRate.requests / 2, 200)
  await sendMany(refusedCount / 4, 429, () => user.get(path))
  const refused = await measure(refusedCount, 429)
  return {
    servedMicros: served.all,
    refusedMicros: refused.all,
    gateway: { servedMicros: served.gateway, refusedMicros: refused.gateway },
    bareMicros: await measureBare(),
  }
}
