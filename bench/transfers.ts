import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../e2e/harness/quantile.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { GoalFigure } from './goal.js'
import type { ClientOrder, ClientResponse } from './large-client.js'
import { largeDocument } from './large-document.js'
import { timesFigures } from './times-figure.js'
import { startWorker, type Worker } from './worker.js'

const upRatioMax = 1.8
const downRatioMax = 2
const warmRounds = { whole: 25, quick: 5 }

/** A system, a Pro user, and the client and baseline processes. */
export interface LargeScene {
  readonly system: TestSystem
  readonly token: string
  readonly client: Worker
  readonly floor: Worker
  /** The address at which the floor's process takes and serves the document. */
  readonly peerUrl: string
  readonly sha256: string
}

/** Transfer times of a document in seconds, per round; the peer is a server of one process, with a COPY behind it. */
interface TransferTimes {
  readonly floor: number[]
  readonly ours: number[]
  readonly peer: number[]
}

interface Transfers {
  readonly up: TransferTimes
  readonly down: TransferTimes
}

/**
 * Sends the document, or fetches the one of this id.
 * @throws Error when it is refused.
 */
export async function transfer(
  { client, token, system }: LargeScene,
  id: string | null,
): Promise<ClientResponse> {
  const path = id === null ? '/api/snippets' : `/api/snippets/${id}`
  const order: ClientOrder = { url: `${system.baseUrl()}${path}`, token, upload: id === null }
  const response = await client.ask<ClientResponse>(order)
  if (response.status !== (id === null ? 201 : 200)) throw new Error(`${response.status} for ${path}`)
  return response
}

async function round(scene: LargeScene, user: Awaited<ReturnType<TestSystem['user']>>, into: Transfers) {
  const floorUp = await scene.floor.ask<{ seconds: number }>('write')
  const up = await transfer(scene, null)
  const floorDown = await scene.floor.ask<{ seconds: number; sha256: string }>('read')
  const down = await transfer(scene, up.id)
  const toPeer = { url: scene.peerUrl, token: '' }
  const peerDown = await scene.client.ask<ClientResponse>({ ...toPeer, upload: false })
  // Afterwards it has the whole body instead of the document, until the next round.
  const peerUp = await scene.client.ask<ClientResponse>({ ...toPeer, upload: true })
  for (const { sha256 } of [floorDown, down, peerDown])
    if (sha256 !== scene.sha256) throw new Error('the bytes differ')
  await user.delete(`/api/snippets/${up.id}`)
  into.up.floor.push(floorUp.seconds)
  into.up.ours.push(up.seconds)
  into.up.peer.push(peerUp.seconds)
  into.down.floor.push(floorDown.seconds)
  into.down.ours.push(down.seconds)
  into.down.peer.push(peerDown.seconds)
}

/** After ten documents V8 is still compiling the transfer code: a download then takes a seventh longer. */
const coldRounds = 10

/** One document up and down, in turns with one binary COPY each; `where` is added to the names of the rows. */
export async function measureTransfers(
  scene: LargeScene,
  quick: boolean,
  where = '',
): Promise<readonly GoalFigure[]> {
  const user = await scene.system.user('bench', 'pro')
  const goThrough = async (count: number): Promise<Transfers> => {
    const none = (): TransferTimes => ({ floor: [], ours: [], peer: [] })
    const transfers: Transfers = { up: none(), down: none() }
    for (let done = 0; done < count; done += 1) await round(scene, user, transfers)
    return transfers
  }
  const cold = await goThrough(quick ? 2 : coldRounds)
  const warm = await goThrough(quick ? warmRounds.quick : warmRounds.whole)
  const figuresOf = (name: string, ratioMax: number, direction: keyof Transfers): readonly GoalFigure[] => {
    const goal = { unit: 's', against: 'one binary COPY', p99RatioMax: null } as const
    const [typical, slowest] = timesFigures({ ...goal, name: `${name}${where}`, ratioMax }, warm[direction])
    const coldRatio = median(cold[direction].ours) / median(cold[direction].floor)
    return [{ ...typical, details: { ...typical.details, 'ratio before it is warm': coldRatio } }, slowest]
  }
  return [...figuresOf('50 MB up, Pro', upRatioMax, 'up'), ...figuresOf('50 MB down', downRatioMax, 'down')]
}

/** Does `work` with someone on Pro of this system who has a document of 50 MB ready. */
export async function withLargeScene<Result>(
  system: TestSystem,
  work: (scene: LargeScene) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'snipkeep-large-'))
  const DOCUMENT = join(folder, 'document.json')
  const bytes = largeDocument()
  await writeFile(DOCUMENT, bytes)
  await system.user('bench', 'pro')
  const floor = startWorker('baselines/large-copy.mjs', { DOCUMENT, DATABASE_URL: system.databaseUrl })
  const { port } = await floor.ask<{ port: number }>('serve')
  const scene: LargeScene = {
    system,
    token: await system.issuer.token('bench'),
    client: startWorker('large-client.ts', { DOCUMENT }),
    floor,
    peerUrl: `http://127.0.0.1:${port}`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  try {
    return await work(scene)
  } finally {
    scene.client.stop()
    scene.floor.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
