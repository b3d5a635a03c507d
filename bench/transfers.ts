import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../e2e/harness/quantile.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { GoalFigure } from './goal.js'
import type { ClientOrder, ClientResponse } from './large-client.js'
import { largeDocument } from './large-document.js'
import { startWorker, type Worker } from './worker.js'

const upRatioMax = 1.8
const downRatioMax = 2

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

/** Transfer times of a document, in seconds, per round. */
interface Transfers {
  readonly floorUp: number[]
  readonly up: number[]
  readonly floorDown: number[]
  readonly down: number[]
  /** To and from a server of one process, with a COPY behind it. */
  readonly peerUp: number[]
  readonly peerDown: number[]
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
  into.floorUp.push(floorUp.seconds)
  into.up.push(up.seconds)
  into.floorDown.push(floorDown.seconds)
  into.down.push(down.seconds)
  into.peerUp.push(peerUp.seconds)
  into.peerDown.push(peerDown.seconds)
}

function ratioOf(
  name: string,
  floors: readonly number[],
  ours: readonly number[],
  coldRatio: number,
  ratioMax: number,
): GoalFigure {
  const [floor, measured] = [median(floors), median(ours)]
  const ratios = ours.map((seconds, index) => seconds / (floors[index] ?? Number.NaN))
  const ratio = measured / floor
  return {
    name,
    unit: 's',
    floor,
    measured,
    ratio,
    goal: `≤ ${ratioMax.toFixed(1)} of one binary COPY`,
    holds: ratio <= ratioMax,
    details: {
      'ratio least': Math.min(...ratios),
      'ratio most': Math.max(...ratios),
      'ratio before it is warm': coldRatio,
    },
  }
}

function withPeer(figure: GoalFigure, seconds: readonly number[]): GoalFigure {
  const peer = median(seconds)
  const details = { 'peer s': peer, 'peer of floor': peer / (figure.floor ?? Number.NaN) }
  return { ...figure, details: { ...figure.details, ...details } }
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
  const rounds = async (count: number): Promise<Transfers> => {
    const transfers: Transfers = { floorUp: [], up: [], floorDown: [], down: [], peerUp: [], peerDown: [] }
    for (let done = 0; done < count; done += 1) await round(scene, user, transfers)
    return transfers
  }
  const cold = await rounds(quick ? 2 : coldRounds)
  const warm = await rounds(quick ? 5 : 9)
  const coldRatios = {
    up: median(cold.up) / median(cold.floorUp),
    down: median(cold.down) / median(cold.floorDown),
  }
  return [
    withPeer(ratioOf(`50 MB up, Pro${where}`, warm.floorUp, warm.up, coldRatios.up, upRatioMax), warm.peerUp),
    withPeer(
      ratioOf(`50 MB down${where}`, warm.floorDown, warm.down, coldRatios.down, downRatioMax),
      warm.peerDown,
    ),
  ]
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
