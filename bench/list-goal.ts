import type { TestSystem } from '../e2e/harness/system.js'
import { type Baseline, startBaseline } from './baselines.js'
import type { Bench, BenchContext } from './bench.js'
import type { Contender } from './contender.js'
import { startPageChanger } from './page-changer.js'
import { ratioFigures } from './ratio-figure.js'
import { type Read, readContender } from './read-contender.js'
import { runRounds } from './rounds.js'
import {
  expectStatus,
  mapAtOnce,
  openUsers,
  raisedLimits,
  type SmallUser,
  smallBody,
  smallText,
} from './small-requests.js'
import { pidsOf } from './system-processes.js'

const usersCount = 10
const snippetsOfEach = 40

interface Page {
  readonly snippets: readonly { readonly id: string; readonly data: unknown }[]
  readonly next_cursor: string | null
}

interface OwnedPage extends Read {
  readonly owner: SmallUser
  readonly newestId: string
}

async function firstPage(owner: SmallUser, newest: readonly string[]): Promise<OwnedPage> {
  const path = '/api/snippets?limit=20'
  const { text } = expectStatus(await owner.client.get(path), 200)
  const page = JSON.parse(text) as Page
  if (
    page.next_cursor === null ||
    JSON.stringify(page.snippets.map(({ id }) => id)) !== JSON.stringify(newest)
  )
    throw new Error(`a page is not of the 20 newest: ${text}`)
  return { path, headers: owner.headers, response: text, owner, newestId: newest[0] ?? '' }
}

/** The first page of users with twice as many snippets, each requested by its owner. */
async function fill(system: TestSystem): Promise<readonly OwnedPage[]> {
  const users = await openUsers(system, usersCount)
  return mapAtOnce(users, async (owner) => {
    const ids: string[] = []
    for (let index = 0; index < snippetsOfEach; index += 1) {
      const made = expectStatus(await owner.client.post('/api/snippets', smallBody(index)), 201)
      ids.unshift(made.json<{ id: string }>().id)
    }
    return firstPage(owner, ids.slice(0, 20))
  })
}

/** The lists that are measured. */
async function snippetPages(system: TestSystem, pids: readonly number[]): Promise<Contender> {
  return readContender({ name: 'ours', baseUrl: system.baseUrl(), pids }, await fill(system), smallText)
}

/** The same page from the monolith, whose cursor has another format. */
async function floorPage(baseUrl: string, { owner, response }: OwnedPage): Promise<Read> {
  const path = `/${owner.accountId}`
  const text = await (await fetch(`${baseUrl}${path}`)).text()
  const snippets = (page: string): string => page.slice(0, page.lastIndexOf(',"next_cursor":'))
  if (snippets(text) !== snippets(response))
    throw new Error(`the monolith listed ${text} instead of ${response}`)
  return { path, headers: {}, response: text }
}

interface ListContenders {
  readonly ours: Contender
  readonly floor: Contender
  readonly pages: readonly OwnedPage[]
}

/** Those pages from the system and from the monolith, which lists the same rows. */
export async function listContenders(
  system: TestSystem,
  monolith: Baseline,
  postgres: BenchContext['postgres'],
): Promise<ListContenders> {
  const pages = await fill(system)
  return {
    pages,
    ours: readContender(
      { name: 'ours', baseUrl: system.baseUrl(), pids: pidsOf(system, postgres) },
      pages,
      smallText,
    ),
    floor: readContender(
      { name: 'the monolith', baseUrl: monolith.baseUrl, pids: [monolith.pid, postgres.pid] },
      await Promise.all(pages.map((page) => floorPage(monolith.baseUrl, page))),
      smallText,
    ),
  }
}

const goal = { against: 'the monolith', p99RatioMax: 1.5 }
const unchangedGoal = { ...goal, name: 'list of 20, 1 KB each, unchanged', ratioMin: 0.9 }
const changedGoal = { ...goal, name: 'list of 20, 1 KB each, changed each time', ratioMin: 0.7 }

/** The 20 newest with their data, unchanged since the last time and changed every time, against one process that lists the same rows. */
export const listGoal: Bench = {
  name: 'list',
  env: raisedLimits,
  openLoad: snippetPages,
  async measure(context) {
    const { postgres } = context
    const system = await context.startSystem()
    const monolith = await startBaseline('monolith', { DATABASE_URL: system.databaseUrl })
    try {
      const { ours, floor, pages } = await listContenders(system, monolith, postgres)
      const unchanged = await runRounds(context, { floor, ours })
      const changer = await startPageChanger(
        system.databaseUrl,
        pages.map(({ owner, newestId }) => ({ ownerId: owner.accountId, id: newestId })),
      )
      const startedAt = performance.now()
      const changed = await runRounds(context, { floor, ours }).finally(() => changer.stop())
      const changes = (1_000 * changer.count) / (performance.now() - startedAt)
      console.log(`The list that changes did so ${changes.toFixed(0)} times a second.`)
      return [...ratioFigures(unchangedGoal, unchanged), ...ratioFigures(changedGoal, changed)]
    } finally {
      monolith.stop()
    }
  },
}
