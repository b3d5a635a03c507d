import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '#libs/config/read-variables.js'
import { serverUser } from '#libs/embedded-postgres/server-user.js'
import { atOneMoment, readDigests, type TableDigest, withSession } from '#libs/postgres/table-digests.js'
import { tablesWith } from '#libs/postgres/tables-with.js'
import { compare, comparisonTable } from './compare.js'
import { type DrillConfig, readConfig } from './config.js'
import { type DrillServer, openDrillServer } from './drill-server.js'
import {
  chooseSetup,
  type DrilledSystem,
  type DrillSetup,
  startDrilledSystem,
  type Written,
} from './drilled-system.js'
import { programsIn } from './programs.js'
import type { Site } from './throwaway-server.js'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Times the steps of the drill, and reports each as it ends. */
interface Stopwatch {
  time<T>(step: string, work: () => Promise<T>): Promise<T>
  /** The total seconds of these steps. */
  seconds(...steps: readonly string[]): string
}

function startStopwatch(): Stopwatch {
  const took = new Map<string, number>()
  return {
    async time(step, work) {
      const from = performance.now()
      const result = await work()
      const seconds = (performance.now() - from) / 1_000
      took.set(step, seconds)
      say(`${seconds.toFixed(1).padStart(7)} s  ${step}`)
      return result
    },
    seconds: (...steps) => steps.reduce((sum, step) => sum + (took.get(step) ?? 0), 0).toFixed(1),
  }
}

/** The steps that an operator has to wait for. */
const steps = {
  restore: 'pg_restore into a new database',
  startRestored: 'starting the system on the restored database',
  recover: 'recovery to the named moment',
  startRecovered: 'starting the system on the recovered server',
} as const

/** Prints the differences after a restore; true if there are none. */
function compareDigests(
  title: string,
  then: readonly TableDigest[],
  restored: readonly TableDigest[],
): boolean {
  const comparisons = compare(then, restored)
  say(`\n${title}\n\n${comparisonTable(comparisons)}\n`)
  return comparisons.every(({ same }) => same)
}

/** The state before the backup, which must be restored. */
interface Before {
  readonly written: readonly Written[]
  readonly key: string
  /** Someone who deletes the account after the backup, and a text of theirs. */
  readonly leaver: { readonly id: string; readonly marker: string }
  /** The ledger of erasures, as printed after that. */
  readonly ledger: string
}

/** Shared by the parts of the drill. */
interface Drill {
  readonly config: DrillConfig
  readonly site: Site
  readonly server: DrillServer
  readonly setup: DrillSetup
  readonly watch: Stopwatch
}

/** The tables of a restored database that still have something of the person who deleted the account. */
function tablesOfLeaver(url: string, { leaver: { id, marker } }: Before): Promise<readonly string[]> {
  return withSession(url, (client) => tablesWith(client, [id, marker]))
}

/** Applies the ledger to the restored data, starts the system on it, and uses it. */
async function smoke(drill: Drill, step: string, url: string, before: Before): Promise<boolean> {
  const { written, key, ledger } = before
  const wasThere = (await tablesOfLeaver(url, before)).length > 0
  for (const line of (await runIdentity(url, 'apply-ledger', ledger)).trim().split('\n'))
    say(`           ${line}`)
  const system = await drill.watch.time(step, () => startDrilledSystem(url, drill.setup))
  try {
    // The gateway is ready, so this must be done.
    const left = await tablesOfLeaver(url, before)
    const isErased = wasThere && left.length === 0
    say(
      isErased
        ? '           what was erased after the backup is erased again'
        : `           ERASED DATA IS BACK: ${left.join(', ')}`,
    )
    const why = await system.smoke([...written.slice(0, 20), ...written.slice(-20)], key)
    say(`           ${why ?? 'snippets are read byte for byte, the API key works, and writing goes on'}`)
    return why === null && isErased
  } finally {
    await system.stop()
  }
}

/** Runs a command of identity on a database; returns what it prints. */
function runIdentity(url: string, command: string, input = ''): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url }
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, stdout: string): void =>
      error === null ? resolve(stdout) : reject(error)
    execFile(process.execPath, ['dist/services/identity/main.js', command], { env }, done).stdin?.end(input)
  })
}

/** Dumps while the system is written to; returns the state at the moment of the dump. */
async function dump({ config, site, watch }: Drill, url: string, file: string, system: DrilledSystem) {
  const args = ['--format=custom', `--file=${file}`]
  const dumping = atOneMoment(url, async (snapshot) => {
    const run = () => site.programs.runOn('pg_dump', url, [`--snapshot=${snapshot}`, ...args])
    await watch.time('pg_dump, while the system is written to', run)
  })
  const [then] = await Promise.all([dumping, system.write(config.snippets)])
  return then
}

/** A system that was written to, and backed up in both ways meanwhile. */
async function writeAndBackUp(drill: Drill, url: string, file: string) {
  const { config, server, setup, watch } = drill
  const system = await watch.time('starting the system', () => startDrilledSystem(url, setup))
  try {
    const writing = `writing ${config.snippets} snippets, shares and entries`
    const written = await watch.time(writing, () => system.write(config.snippets))
    const marker = `left-${randomBytes(8).toString('hex')}`
    const leaver = { id: await system.arrive(marker), marker }
    const key = await system.makeKey()
    const recovery = await watch.time('base backup', () => server.backUp(url))
    const then = await dump(drill, url, file, system)
    await recovery?.nameMoment()
    await watch.time('writing on', () => system.write(Math.ceil(config.snippets / 10)))
    await watch.time('erasing an account', () => system.leave(leaver.id))
    const before: Before = { key, written, leaver, ledger: await runIdentity(url, 'ledger') }
    return { before, recovery, then }
  } finally {
    await system.stop()
  }
}

async function restore({ site, server }: Drill, file: string): Promise<string> {
  const url = await server.create(`restored_${randomBytes(4).toString('hex')}`)
  await site.programs.runOn('pg_restore', url, ['--exit-on-error', '--jobs=2', file])
  await withSession(url, (client) => client.query('ANALYZE'))
  return url
}

/**
 * Restores a dump to a working system, then a base backup to a named point in time; true if both match the
 * original.
 */
async function runSteps(drill: Drill): Promise<boolean> {
  const { site, server, watch } = drill
  const file = join(site.home, 'snipkeep.dump')
  const url = await server.create(`drilled_${randomBytes(4).toString('hex')}`)
  const { before, recovery, then } = await writeAndBackUp(drill, url, file)

  const restored = await watch.time(steps.restore, () => restore(drill, file))
  const same = compareDigests('The dump, restored:', then, await readDigests(restored))
  const usable = await smoke(drill, steps.startRestored, restored, before)
  say(`\nFrom the dump to a system that serves: ${watch.seconds(steps.restore, steps.startRestored)} s`)
  if (recovery === null) {
    say('Recovery to a moment was skipped: the server of DATABASE_URL is not one of the drill.')
    return same && usable
  }
  const recovered = await watch.time(steps.recover, recovery.recover)
  const alsoSame = compareDigests(
    'The named moment, recovered:',
    recovered.then,
    await readDigests(recovered.url),
  )
  const alsoUsable = await smoke(drill, steps.startRecovered, recovered.url, before)
  say(
    `\nFrom the base backup to a system that serves: ${watch.seconds(steps.recover, steps.startRecovered)} s`,
  )
  return same && usable && alsoSame && alsoUsable
}

async function makeSite({ programs }: DrillConfig): Promise<Site> {
  const home = await mkdtemp(join(tmpdir(), 'snipkeep-drill-'))
  const user = await serverUser(home)
  if (user !== null) await chown(home, user.uid, user.gid)
  return { home, programs: programsIn(programs), user }
}

/**
 * Runs the drill: backs up a running system, keeps writing, restores, compares, and uses the restored system.
 * The exit code is 1 if anything differs.
 */
export async function runDrill(env: Environment): Promise<void> {
  const config = readConfig(env)
  const site = await makeSite(config)
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-drilled-'))
  try {
    say(`Drill with ${(await site.programs.run('pg_dump', ['--version'])).trim()}\n`)
    const server = await openDrillServer(config, site)
    try {
      const setup = await chooseSetup(dataDir)
      const well = await runSteps({ config, site, server, setup, watch: startStopwatch() })
      say(well ? '\nEverything that was backed up is there again.' : '\nThe drill has FAILED.')
      if (!well) process.exitCode = 1
    } finally {
      await server.stop()
    }
  } finally {
    for (const folder of [dataDir, site.home]) await rm(folder, { recursive: true, force: true })
  }
}
