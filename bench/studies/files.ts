import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { TestSystem } from '../../e2e/harness/system.js'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { expectStatus, smallBody } from '../small-requests.js'

/** Sends the same kind of request each time. */
type Send = () => Promise<unknown>

/** A request to trace, and the maximum of files it may enter. */
interface CountedRequest {
  readonly name: string
  readonly filesMax: number
  /** Prepares a request that has not been made before. */
  prepare(): Promise<Send>
}

/** Code that runs periodically does not run in all of this many rounds. */
const rounds = 6
/** Until the request is logged. */
const settleMs = 100

/** Our files that a request enters, in any process: those in which functions ran. */
async function filesOf(system: TestSystem, { prepare }: CountedRequest): Promise<readonly string[]> {
  const inside = [...system.gateways, system.web, system.tools, ...system.contents, ...system.identities]
  const root = pathToFileURL('dist/').href
  let common: ReadonlySet<string> | null = null
  for (let round = 0; round < rounds; round += 1) {
    const send = await prepare()
    await sleep(settleMs)
    await Promise.all(inside.map((process) => process.ask('start')))
    await send()
    await sleep(settleMs)
    const reports = await Promise.all(inside.map((process) => process.ask('stop')))
    const files = new Set(
      (reports as readonly (readonly string[])[])
        .flat()
        .filter((url) => url.startsWith(root) && !url.includes('/proto/gen/'))
        .map((url) => url.slice(root.length).replace(/\.js$/, '.ts')),
    )
    const before: ReadonlySet<string> = common ?? files
    common = new Set([...files].filter((file) => before.has(file)))
  }
  return [...(common ?? [])].sort()
}

async function countedRequests(system: TestSystem): Promise<readonly CountedRequest[]> {
  const user = await system.user('counted')
  const anyone = system.anyone()
  let made = 0
  const create = async (): Promise<string> => {
    made += 1
    return expectStatus(await user.post('/api/shares', smallBody(made)), 201).json<{ id: string }>().id
  }
  const read =
    (path: string): Send =>
    async () =>
      expectStatus(await anyone.get(path), 200)
  const uncached = (folder: string) => async (): Promise<Send> => read(`${folder}/${await create()}`)
  const cached = (folder: string) => async (): Promise<Send> => {
    const send = read(`${folder}/${await create()}`)
    await send()
    return send
  }
  return [
    {
      name: 'create a snippet',
      filesMax: 60,
      prepare: async () => async () => {
        const { id } = expectStatus(await user.post('/api/snippets', smallBody(0)), 201).json<{
          id: string
        }>()
        return id
      },
    },
    { name: 'read a share', filesMax: 36, prepare: uncached('/api/shares') },
    { name: 'read a cached share', filesMax: 22, prepare: cached('/api/shares') },
    { name: 'open a share page', filesMax: 40, prepare: uncached('/s') },
    { name: 'open a cached share page', filesMax: 22, prepare: cached('/s') },
    {
      name: 'format JSON with a tool',
      filesMax: 50,
      prepare: async () => async () =>
        expectStatus(await user.post('/api/tools/json-format', { input: '{"a":1}' }), 200),
    },
  ]
}

/**
 * How many files a request enters in all processes, as someone following it would open them: those in which a
 * function ran, without generated code and packages.
 */
export const files: Bench = {
  name: 'files',
  async measure({ startSystem }) {
    const module = pathToFileURL('bench/studies/called-functions.mjs').href
    const system = await startSystem({ processEnv: () => ({ NODE_OPTIONS: `--import=${module}` }) })
    const figures: GoalFigure[] = []
    for (const request of await countedRequests(system)) {
      const entered = await filesOf(system, request)
      console.log(`\n${request.name}: ${entered.length} files\n  ${entered.join('\n  ')}`)
      figures.push({
        name: `files entered: ${request.name}`,
        unit: 'files',
        floor: null,
        measured: entered.length,
        ratio: null,
        goal: `≤ ${request.filesMax}`,
        holds: entered.length <= request.filesMax,
      })
    }
    return figures
  },
}
