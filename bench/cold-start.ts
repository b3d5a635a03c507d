import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../e2e/harness/quantile.js'
import { call, startAsUsers, threePorts } from '../e2e/harness/started-system.js'
import type { Bench } from './bench.js'
import { smallBody } from './small-requests.js'

const secondsMax = 3
const starts = { whole: 5, quick: 2 }
const snippetsCount = 20

/** Where a system is at home, start after start. */
interface Home {
  readonly dataDir: string
  readonly ports: readonly string[]
}

/** The path of a share, which a system in this folder has stored before it stopped, beside some snippets. */
async function leaveData({ dataDir, ports }: Home): Promise<string> {
  const system = await startAsUsers(dataDir, { ports })
  try {
    const headers = {
      Authorization: `Bearer ${await system.token('pro')}`,
      'Content-Type': 'application/json',
    }
    const post = (index: number) => ({ method: 'POST', headers, body: JSON.stringify(smallBody(index)) })
    for (let index = 0; index < snippetsCount; index += 1)
      await call(`${system.url}/api/snippets`, 201, post(index))
    const { id } = await call(`${system.url}/api/shares`, 201, post(0))
    return `/api/shares/${id}`
  } finally {
    await system.stop()
  }
}

/** The seconds from the command to the first response, which shows data that an earlier run has stored. */
async function startOnce({ dataDir, ports }: Home, path: string): Promise<number> {
  const startedAt = performance.now()
  const system = await startAsUsers(dataDir, { ports })
  try {
    await call(`${system.url}${path}`, 200)
    return (performance.now() - startedAt) / 1_000
  } finally {
    await system.stop()
  }
}

/** How long `npm start` takes, with data there already, until a request for it gets its response. */
export const coldStart: Bench = {
  name: 'start',
  async measure({ quick }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-start-'))
    try {
      const home: Home = { dataDir, ports: await threePorts() }
      const path = await leaveData(home)
      const seconds: number[] = []
      while (seconds.length < (quick ? starts.quick : starts.whole)) seconds.push(await startOnce(home, path))
      const name = 'npm start to the first response, with data'
      const [measured, slowest] = [median(seconds), Math.max(...seconds)]
      const absolute = { unit: 's', floor: null, ratio: null } as const
      return [
        {
          ...{ ...absolute, name, measured, goal: `≤ ${secondsMax} s`, holds: measured <= secondsMax },
          details: { 'least s': Math.min(...seconds) },
        },
        { ...absolute, name: `${name}: p99`, measured: slowest, goal: 'none', holds: true },
      ]
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}
