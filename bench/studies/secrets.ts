import { median } from '../../e2e/harness/quantile.js'
import type { TestSystem } from '../../e2e/harness/system.js'
import type { Bench } from '../bench.js'
import { untilWritten } from '../disk.js'
import type { GoalFigure } from '../goal.js'
import { largeBody, largeBytes, largeDocument } from '../large-document.js'
import { processorMicros } from '../processor-time.js'
import { expectStatus } from '../small-requests.js'

const rounds = 9
const warmUps = 4

/** Documents of a size, and how many of them are shared in one turn. */
interface Size {
  readonly name: string
  readonly bytes: number
  readonly uploads: number
}

const sizes: readonly Size[] = [
  { name: '52 MB', bytes: largeBytes, uploads: 1 },
  { name: '1 MB', bytes: 1_000_000, uploads: 40 },
]

interface Uploader {
  /** Shares a body so many times, and returns the processor time of all processes that took part, in milliseconds. */
  upload(body: Buffer, uploads: number): Promise<number>
}

async function openUploader(system: TestSystem, postgresPid: number): Promise<Uploader> {
  const user = await system.user('uploader', 'pro')
  const pids = [postgresPid, ...[system.gateways, system.contents].flat().map(({ pid }) => pid)]
  return {
    async upload(body, uploads) {
      const ids: string[] = []
      const before = await processorMicros(pids)
      for (let index = 0; index < uploads; index += 1) {
        const made = await user.request('POST', '/api/shares', { body })
        expectStatus(made, 201)
        ids.push(made.json<{ id: string }>().id)
      }
      const spent = (await processorMicros(pids)) - before
      for (const id of ids) await user.delete(`/api/shares/${id}`)
      return spent / uploads / 1_000
    },
  }
}

/** Shares a document by systems that look for secrets and that don't, in turns. */
async function measureUploads(
  uploaders: Readonly<Record<'off' | 'warn', Uploader>>,
  { bytes, uploads }: Size,
): Promise<{ off: number; warn: number }> {
  const body = largeBody(largeDocument(bytes))
  const millis: { off: number[]; warn: number[] } = { off: [], warn: [] }
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const policy of ['off', 'warn'] as const) {
      // Else a commit may wait for the disk until its statement is cancelled.
      await untilWritten()
      const spent = await uploaders[policy].upload(body, uploads)
      if (round >= 0) millis[policy].push(spent)
    }
  }
  return { off: median(millis.off), warn: median(millis.warn) }
}

/** What the search for secrets may add to the processor time of an upload. */
const ratioMax = 1.05

/** The price of the search for secrets. */
export const secrets: Bench = {
  name: 'secrets',
  async measure({ startSystem, postgres }) {
    const open = async (policy: string): Promise<Uploader> =>
      openUploader(await startSystem({ env: { SHARE_SECRETS: policy } }), postgres.pid)
    const uploaders = { off: await open('off'), warn: await open('warn') }
    const goals: GoalFigure[] = []
    for (const size of sizes) {
      const { off, warn } = await measureUploads(uploaders, size)
      goals.push({
        name: `sharing ${size.name} with the search for secrets`,
        unit: 'processor ms',
        floor: off,
        measured: warn,
        ratio: warn / off,
        goal: `≤ ${ratioMax.toFixed(2)} of SHARE_SECRETS=off`,
        holds: warn <= ratioMax * off,
      })
    }
    return goals
  },
}
