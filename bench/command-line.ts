import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median } from '../e2e/harness/quantile.js'
import { call, startAsUsers } from '../e2e/harness/started-system.js'
import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { smallBody } from './small-requests.js'

const rounds = { whole: 31, quick: 9 }
const program = resolve('dist/clients/cli/snipkeep.mjs')

/** A command line, and how much of an empty Node it may take. */
interface TimedCommand {
  readonly name: string
  readonly args: readonly string[]
  /** `null` for the floor. */
  readonly ratioMax: number | null
}

/** The milliseconds from the start of a process to its end. */
async function runOnce(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`node ${args.join(' ')} exits with ${code}`)
  return performance.now() - startedAt
}

/** Runs the commands in turns, so that all of them meet the same machine; the times of each by its name. */
export async function runInTurns(
  commands: readonly TimedCommand[],
  count: number,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map(commands.map(({ name }) => [name, [] as number[]]))
  // The first round fills caches of files.
  for (let round = 0; round <= count; round += 1)
    for (const { name, args } of commands) {
      const ms = await runOnce(args, env)
      if (round > 0) times.get(name)?.push(ms)
    }
  return times
}

function figureOf(
  { name, ratioMax }: TimedCommand,
  own: readonly number[],
  floors: readonly number[],
): GoalFigure {
  const ratios = own.map((ms, round) => ms / (floors[round] ?? Number.NaN))
  const ratio = median(ratios)
  return {
    name,
    unit: 'ms',
    floor: median(floors),
    measured: median(own),
    ratio,
    goal: `≤ ${ratioMax}`,
    holds: ratioMax === null || ratio <= ratioMax,
    details: { 'ratio least': Math.min(...ratios), 'ratio most': Math.max(...ratios) },
  }
}

/** How long the command line takes, compared with a Node that does nothing. */
export const commandLine: Bench = {
  name: 'command-line',
  async measure({ quick }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-command-line-'))
    try {
      const system = await startAsUsers(dataDir)
      try {
        const token = await system.token('pro')
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
        const post = { method: 'POST', headers, body: JSON.stringify(smallBody(0)) }
        const { id } = await call(`${system.url}/api/snippets`, 201, post)
        const commands: readonly TimedCommand[] = [
          { name: 'node -e 0', args: ['-e', '0'], ratioMax: null },
          { name: 'snipkeep --version', args: [program, '--version'], ratioMax: 1.5 },
          { name: 'snipkeep get of a small snippet', args: [program, 'get', String(id)], ratioMax: 2.5 },
        ]
        const env = { ...process.env, HOME: dataDir, SNIPKEEP_SERVER: system.url, SNIPKEEP_TOKEN: token }
        const times = await runInTurns(commands, quick ? rounds.quick : rounds.whole, env)
        const [floor, ...own] = commands
        const floors = times.get(floor?.name ?? '') ?? []
        return own.map((command) => figureOf(command, times.get(command.name) ?? [], floors))
      } finally {
        await system.stop()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}
