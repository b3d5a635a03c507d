import type { TestSystem } from '../e2e/harness/system.js'
import { startBaseline } from './baselines.js'
import type { Bench } from './bench.js'
import type { Contender } from './contender.js'
import { createContender, createRequests } from './create-contender.js'
import { ratioFigures } from './ratio-figure.js'
import { runRounds, usualConnections } from './rounds.js'
import { expectStatus, openUsers, raisedLimits, type SmallUser } from './small-requests.js'
import { pidsOf } from './system-processes.js'

/** Snippets created by as many users as there are connections: none waits for the counter of another. */
async function snippetCreates(system: TestSystem, pids: readonly number[]): Promise<Contender> {
  const users = await openUsers(system, usualConnections)
  return createContender({
    name: 'ours',
    baseUrl: system.baseUrl(),
    pids,
    requests: createRequests(users, () => '/api/snippets'),
    find: async (index, id) =>
      expectStatus(await (users[index] as SmallUser).client.get(`/api/snippets/${id}`), 200).text,
  })
}

/** Creates with quota and idempotency, against one process that runs the same SQL. */
export const createGoal: Bench = {
  name: 'create',
  env: raisedLimits,
  openLoad: snippetCreates,
  async measure(context) {
    const { postgres, quick } = context
    const system = await context.startSystem()
    const env = { DATABASE_URL: system.databaseUrl }
    const monolith = await startBaseline('monolith', env)
    const pastebin = await startBaseline('plain-pastebin', env)
    try {
      const users = await openUsers(system, usualConnections)
      const ours = await snippetCreates(system, pidsOf(system, postgres))
      const floor = await createContender({
        name: 'the monolith',
        baseUrl: monolith.baseUrl,
        pids: [monolith.pid, postgres.pid],
        requests: createRequests(users, ({ accountId }) => `/${accountId}`),
        find: async (index, id) =>
          (await fetch(`${monolith.baseUrl}/${users[index]?.accountId}/${id}`)).text(),
      })
      const peer = await createContender({
        name: 'a plain pastebin',
        baseUrl: pastebin.baseUrl,
        pids: [pastebin.pid, postgres.pid],
        requests: createRequests(users, () => '/pastes'),
        find: async (_index, id) => (await fetch(`${pastebin.baseUrl}/pastes/${id}`)).text(),
      })
      const runs = await (quick
        ? runRounds(context, { floor, ours })
        : runRounds(context, { floor, ours, peer }))
      const goal = {
        ...{ name: 'create snippet, 1 KB, 64 owners', against: 'the monolith' },
        ...{ ratioMin: 1, p99RatioMax: 1.5 },
      }
      return ratioFigures(goal, runs)
    } finally {
      monolith.stop()
      pastebin.stop()
    }
  },
}
