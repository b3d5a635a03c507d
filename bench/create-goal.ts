import type { TestSystem } from '../e2e/harness/system.js'
import { startBaseline } from './baselines.js'
import type { Bench } from './bench.js'
import type { Contender } from './contender.js'
import { eventLoopDelays } from './event-loop-delay.js'
import type { LoadRequest } from './load-order.js'
import { ratioFigure } from './ratio-figure.js'
import { connections, runRounds } from './rounds.js'
import {
  expectStatus,
  openUsers,
  raisedLimits,
  type SmallUser,
  sample,
  sendOne,
  smallBody,
} from './small-requests.js'
import { pidsOf } from './system-processes.js'

const checkedCount = 10

interface Maker extends Pick<Contender, 'name' | 'baseUrl' | 'pids'> {
  readonly requests: readonly LoadRequest[]
  /** Reads by its id what a request has created. */
  find(index: number, id: string): Promise<string>
}

/** A contender that creates with these requests. Some are sent individually and read back. */
async function createContender({ find, ...maker }: Maker): Promise<Contender> {
  const { name, baseUrl, requests } = maker
  const create = async (request: LoadRequest): Promise<string> => {
    const headers = { ...request.headers, 'Idempotency-Key': crypto.randomUUID() }
    const { text } = expectStatus(await sendOne(baseUrl, { ...request, headers }), 201)
    const { id } = JSON.parse(text) as { id: string }
    const { data } = JSON.parse(request.body ?? '') as { data: unknown }
    const found = JSON.parse(await find(requests.indexOf(request), id)) as { id: string; data: unknown }
    if (found.id !== id || JSON.stringify(found.data) !== JSON.stringify(data))
      throw new Error(`${name} created ${JSON.stringify(found)}`)
    return text
  }
  const [first] = requests
  if (first === undefined) throw new Error('there is nothing to create')
  return {
    ...maker,
    expected: { status: 201, bytes: Buffer.byteLength(await create(first)), holds: smallBody(0).title },
    async check() {
      for (const request of sample(requests, checkedCount)) await create(request)
    },
  }
}

/** One request per user, so that no create waits for another user's counter. */
function requestsOf(
  users: readonly SmallUser[],
  pathOf: (user: SmallUser) => string,
): readonly LoadRequest[] {
  return users.map((user, index) => ({
    method: 'POST',
    path: pathOf(user),
    headers: { ...user.headers, 'Content-Type': 'application/json', 'Idempotency-Key': '{fresh}' },
    body: JSON.stringify(smallBody(index)),
  }))
}

/** Snippets created by as many users as there are connections, each with an idempotency key. */
async function snippetCreates(system: TestSystem, pids: readonly number[]): Promise<Contender> {
  const users = await openUsers(system, connections)
  return createContender({
    name: 'ours',
    baseUrl: system.baseUrl(),
    pids,
    requests: requestsOf(users, () => '/api/snippets'),
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
      const users = await openUsers(system, connections)
      const ours = await snippetCreates(system, pidsOf(system, postgres))
      const floor = await createContender({
        name: 'the monolith',
        baseUrl: monolith.baseUrl,
        pids: [monolith.pid, postgres.pid],
        requests: requestsOf(users, ({ accountId }) => `/${accountId}`),
        find: async (index, id) =>
          (await fetch(`${monolith.baseUrl}/${users[index]?.accountId}/${id}`)).text(),
      })
      const peer = await createContender({
        name: 'a plain pastebin',
        baseUrl: pastebin.baseUrl,
        pids: [pastebin.pid, postgres.pid],
        requests: requestsOf(users, () => '/pastes'),
        find: async (_index, id) => (await fetch(`${pastebin.baseUrl}/pastes/${id}`)).text(),
      })
      const runs = await (quick
        ? runRounds(context, { floor, ours })
        : runRounds(context, { floor, ours, peer }))
      const goal = { name: 'create snippet, 1 KB', against: 'the monolith', ratioMin: 0.6 }
      const delays = quick ? {} : await eventLoopDelays(context, snippetCreates)
      return [ratioFigure(goal, runs, delays)]
    } finally {
      monolith.stop()
      pastebin.stop()
    }
  },
}
