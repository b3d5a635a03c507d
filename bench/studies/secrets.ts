import { median } from '../../e2e/harness/quantile.js'
import type { TestSystem } from '../../e2e/harness/system.js'
import type { Bench, BenchContext } from '../bench.js'
import { largeBody, largeDocument } from '../large-document.js'
import { processorMicros } from '../processor-time.js'
import { expectStatus } from '../small-requests.js'

const rounds = 9
const warmUps = 4

interface Uploader {
  readonly millis: number[]
  /** Shares the document, and returns the processor time of all processes that took part, in milliseconds. */
  upload(): Promise<number>
}

async function openUploader(system: TestSystem, postgresPid: number, body: Buffer): Promise<Uploader> {
  const user = await system.user('uploader', 'pro')
  const pids = [postgresPid, ...[system.gateways, system.contents].flat().map(({ pid }) => pid)]
  return {
    millis: [],
    async upload() {
      const before = await processorMicros(pids)
      const made = await user.request('POST', '/api/shares', { body })
      const spent = (await processorMicros(pids)) - before
      expectStatus(made, 201)
      await user.delete(`/api/shares/${made.json<{ id: string }>().id}`)
      return spent / 1_000
    },
  }
}

/** Shares a large document by systems that look for secrets and that don't, in turns. */
async function measureUploads({
  startSystem,
  postgres,
}: BenchContext): Promise<{ off: number; warn: number }> {
  const body = largeBody(largeDocument())
  const open = async (policy: string): Promise<Uploader> =>
    openUploader(await startSystem({ env: { SHARE_SECRETS: policy } }), postgres.pid, body)
  const uploaders = { off: await open('off'), warn: await open('warn') }
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const uploader of Object.values(uploaders)) {
      const spent = await uploader.upload()
      if (round >= 0) uploader.millis.push(spent)
    }
  }
  return { off: median(uploaders.off.millis), warn: median(uploaders.warn.millis) }
}

/** What the search for secrets may add to the processor time of an upload. */
const ratioMax = 1.05

/** The price of the search for secrets. */
export const secrets: Bench = {
  name: 'secrets',
  async measure(context) {
    const { off, warn } = await measureUploads(context)
    return [
      {
        name: 'sharing 52 MB with the search for secrets',
        unit: 'processor ms',
        floor: off,
        measured: warn,
        ratio: warn / off,
        goal: `≤ ${ratioMax.toFixed(2)} of SHARE_SECRETS=off`,
        holds: warn <= ratioMax * off,
      },
    ]
  },
}
