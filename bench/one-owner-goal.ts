import type { TestSystem } from '../e2e/harness/system.js'
import { type Baseline, startBaseline } from './baselines.js'
import type { Bench, BenchContext } from './bench.js'
import type { Contender } from './contender.js'
import { createContender, createRequests } from './create-contender.js'
import type { GoalFigure } from './goal.js'
import type { LoadRequest } from './load-order.js'
import { ratioFigures } from './ratio-figure.js'
import { runRounds } from './rounds.js'
import {
  expectStatus,
  mapAtOnce,
  openUsers,
  raisedLimits,
  type SmallUser,
  sample,
  sendOne,
  smallBody,
} from './small-requests.js'
import { pidsOf } from './system-processes.js'

const namesCount = 64
const checkedCount = 10
/** Replaced versions that are kept of each snippet. */
const revisionsMax = 100

const nameOf = (index: number): string => `bench-${100 + (index % namesCount)}`

/** A pipeline: one owner, whose counter every creation locks. */
interface Scene {
  readonly system: TestSystem
  readonly monolith: Baseline
  readonly pastebin: Baseline
  readonly owner: SmallUser
  /** The processes of each, with those of the database. */
  readonly pids: Readonly<Record<'ours' | 'floor' | 'peer', readonly number[]>>
}

/** Creates of one owner, by the system and by the monolith. */
export async function ownerCreates({
  system,
  monolith,
  owner,
  pids,
}: Pick<Scene, 'system' | 'monolith' | 'owner'> & {
  readonly pids: Readonly<Record<'ours' | 'floor', readonly number[]>>
}): Promise<{ readonly ours: Contender; readonly floor: Contender }> {
  return {
    ours: await createContender({
      ...{ name: 'ours', baseUrl: system.baseUrl(), pids: pids.ours },
      requests: createRequests([owner], () => '/api/snippets'),
      find: async (_index, id) => expectStatus(await owner.client.get(`/api/snippets/${id}`), 200).text,
    }),
    floor: await createContender({
      ...{ name: 'the monolith', baseUrl: monolith.baseUrl, pids: pids.floor },
      requests: createRequests([owner], ({ accountId }) => `/${accountId}`),
      find: async (_index, id) => (await fetch(`${monolith.baseUrl}/${owner.accountId}/${id}`)).text(),
    }),
  }
}

async function measureCreates(context: BenchContext, scene: Scene): Promise<readonly GoalFigure[]> {
  const goal = {
    ...{ name: 'create snippet, 1 KB, one owner', against: 'the monolith' },
    ...{ ratioMin: 0.8, p99RatioMax: 1.5 },
  }
  return ratioFigures(goal, await runRounds(context, await ownerCreates(scene)))
}

interface Puts extends Pick<Contender, 'name' | 'baseUrl' | 'pids'> {
  readonly pathOf: (name: string) => string
  /** Reads what a put has stored, by its id. */
  find(id: string): Promise<string>
}

/** A server of requests that replace the snippets of some names. Some are sent by themselves, and read again. */
function putContender({ pathOf, find, ...server }: Puts, owner: SmallUser): Contender {
  // Each name gets the other of two bodies every time, so that a replaced version is kept.
  const requests = Array.from(
    { length: 2 * namesCount },
    (_, index): LoadRequest => ({
      method: 'PUT',
      path: pathOf(nameOf(index)),
      headers: { ...owner.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(smallBody(index)),
    }),
  )
  const put = async (request: LoadRequest, attemptsLeft = 5): Promise<void> => {
    const { text } = expectStatus(await sendOne(server.baseUrl, request), 200)
    const { id } = JSON.parse(text) as { id: string }
    const found = JSON.parse(await find(id)) as { data: unknown }
    const { data } = JSON.parse(request.body ?? '') as { data: unknown }
    if (JSON.stringify(found.data) === JSON.stringify(data)) return
    // The last round's load may have left a put of the same name in the server's queue.
    if (attemptsLeft === 0) throw new Error(`${server.name} has stored ${JSON.stringify(found)}`)
    await put(request, attemptsLeft - 1)
  }
  return {
    ...server,
    requests,
    // Ours says as well whether the data was changed.
    expected: { status: 200, bytes: null, holds: smallBody(0).title },
    async check() {
      for (const request of sample(requests, checkedCount)) await put(request)
    },
  }
}

async function measurePuts(
  context: BenchContext,
  { system, monolith, pastebin, owner, pids }: Scene,
): Promise<readonly GoalFigure[]> {
  const pathOf = (name: string): string => `/api/snippets/@${name}`
  await mapAtOnce(Array.from({ length: namesCount }), async (_, index) =>
    expectStatus(await owner.client.request('PUT', pathOf(nameOf(index)), { body: smallBody(index) }), 201),
  )
  const find = async (id: string): Promise<string> =>
    expectStatus(await owner.client.get(`/api/snippets/${id}`), 200).text
  const ours = putContender({ name: 'ours', baseUrl: system.baseUrl(), pids: pids.ours, pathOf, find }, owner)
  const floor = putContender(
    {
      ...{ name: 'the monolith', baseUrl: monolith.baseUrl, pids: pids.floor, find },
      pathOf: (name) => `/${owner.accountId}/@${name}`,
    },
    owner,
  )
  const peer = putContender(
    {
      ...{ name: 'a plain pastebin', baseUrl: pastebin.baseUrl, pids: pids.peer },
      pathOf: (name) => `/pastes/@${name}`,
      find: async (id) => (await fetch(`${pastebin.baseUrl}/pastes/${id}`)).text(),
    },
    owner,
  )
  const goal = {
    ...{ name: 'replace snippet by name, 1 KB, one owner', against: 'the monolith' },
    ...{ ratioMin: 0.8, p99RatioMax: 1.5 },
  }
  return ratioFigures(goal, await runRounds(context, { floor, ours, peer }))
}

/** What a single owner creates, and replaces by name, against one process that runs the same SQL. */
export const oneOwnerGoal: Bench = {
  name: 'one-owner',
  env: { ...raisedLimits, PLAN_PRO_REVISIONS: String(revisionsMax) },
  async measure(context) {
    const { postgres } = context
    const system = await context.startSystem()
    const monolith = await startBaseline('monolith', {
      DATABASE_URL: system.databaseUrl,
      REVISIONS_MAX: String(revisionsMax),
    })
    const pastebin = await startBaseline('plain-pastebin', { DATABASE_URL: system.databaseUrl })
    try {
      const [owner] = await openUsers(system, 1)
      if (owner === undefined) throw new Error('there is no owner')
      const pids = {
        ours: pidsOf(system, postgres),
        floor: [monolith.pid, postgres.pid],
        peer: [pastebin.pid, postgres.pid],
      }
      const scene: Scene = { system, monolith, pastebin, owner, pids }
      return [...(await measureCreates(context, scene)), ...(await measurePuts(context, scene))]
    } finally {
      monolith.stop()
      pastebin.stop()
    }
  },
}
