import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { integer } from '#libs/config/variables.js'
import { giveTo, serverUser } from '#libs/embedded-postgres/server-user.js'
import { installedPrograms } from '#libs/testing/installed-postgres.js'
import { runOn } from '#libs/testing/postgres-programs.js'
import {
  atOneMoment,
  nameMoment,
  readDigests,
  type TableDigest,
  withSession,
} from '#libs/testing/table-digests.js'
import { tablesWith } from '#libs/testing/tables-with.js'
import { type ArchivedServer, startArchivedServer } from '../harness/backups.js'
import { type DrilledSystem, startDrilledSystem, type Written } from '../harness/drilled-system.js'
import { isLong } from '../harness/iterations.js'
import { threePorts } from '../harness/started-system.js'

// `npm run drill` (docs/backup.md): its figures are printed, and these variables are an operator's.
const { DATABASE_URL: databaseUrl } = process.env
const isDrill = process.env.DRILL === 'true'
const { DRILL_SNIPPETS: snippets } = readVariables(
  {
    DRILL_SNIPPETS: integer('How many snippets the drill writes at a time.', { min: 2 }, isDrill ? 500 : 15),
  },
  process.env,
)

const bin = installedPrograms('initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup')
const why =
  bin === null ? ' (needs PG_BIN, a folder with initdb, postgres, pg_dump, pg_restore and pg_basebackup)' : ''

/** The steps that an operator has to wait for. */
const restore = 'pg_restore into a new database'
const recoverMoment = 'recovery to the named moment'
const startAgain = 'starting the system on it'

/** The seconds of each step. */
const took = new Map<string, number>()

/** Does a step, prints how long it took, and returns its result. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now()
  const result = await work()
  took.set(name, (performance.now() - from) / 1_000)
  say(`${took.get(name)?.toFixed(1).padStart(7)} s  ${name}`)
  return result
}

/** Prints how long an operator waits for these steps. */
function sayTotal(from: string, ...steps: readonly string[]): void {
  const seconds = steps.reduce((sum, name) => sum + (took.get(name) ?? 0), 0)
  say(`\nFrom ${from} to a system that serves: ${seconds.toFixed(1)} s\n`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Holds that a restored database is as it was, and prints its tables. */
function expectSame(title: string, then: readonly TableDigest[], restored: readonly TableDigest[]): void {
  expect(restored, title).toEqual(then)
  const rows = restored.map(({ table, rows }) => `| ${table} | ${rows} |`)
  say(`\n${title}: every row is equal\n\n${['| table | rows |', '| --- | --- |', ...rows].join('\n')}\n`)
}

/** How many snippets a backup has. */
function snippetsIn(backup: readonly TableDigest[]): number | undefined {
  return backup.find(({ table }) => table === 'content.snippet')?.rows
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

/** What was there before the backup, or is known of it. */
interface Before {
  readonly written: readonly Written[]
  readonly key: string
  /** Someone who deletes the account after the backup, and a text of theirs. */
  readonly leaver: readonly [id: string, marker: string]
  /** The ledger of erasures, as printed after that. */
  readonly ledger: string
}

describe.skipIf(bin === null || !(isLong || isDrill))(`a backup drill, in the long run${why}`, () => {
  const programs = bin ?? ''
  let [home, dataDir]: readonly string[] = []
  let own: ArchivedServer | null = null
  let ports: readonly string[] = []
  const created: string[] = []

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'snipkeep-drill-'))
    dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-drilled-'))
    await giveTo(await serverUser(home), home)
    ports = await threePorts()
    own = databaseUrl === undefined ? await startArchivedServer(programs, home) : null
  })
  afterAll(async () => {
    if (databaseUrl !== undefined)
      for (const name of created)
        await withSession(databaseUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    await own?.stop()
    for (const folder of [home, dataDir]) await rm(folder ?? '', { recursive: true, force: true })
  })

  async function createDatabase(prefix: string): Promise<string> {
    const url = new URL(own?.url ?? databaseUrl ?? '')
    const name = `${prefix}_${randomBytes(4).toString('hex')}`
    await withSession(url.href, (client) => client.query(`CREATE DATABASE ${name}`))
    created.push(name)
    url.pathname = `/${name}`
    return url.href
  }

  const start = (url: string): Promise<DrilledSystem> => startDrilledSystem(url, dataDir ?? '', ports)

  /** Writes, and backs up in both ways while writing goes on. */
  async function writeAndBackUp(url: string, file: string) {
    const system = await step('starting the system', () => start(url))
    try {
      const writing = `writing ${snippets} snippets, shares and entries`
      const written = await step(writing, () => system.write(snippets))
      const marker = `left-${randomBytes(8).toString('hex')}`
      const leaver = [await system.arrive(marker), marker] as const
      const key = await system.makeKey()
      if (own !== null) await step('base backup', own.backUp)
      const dumping = atOneMoment(url, async (snapshot) => {
        const args = [`--snapshot=${snapshot}`, '--format=custom', `--file=${file}`]
        await step('pg_dump, while the system is written to', () => runOn(programs, 'pg_dump', url, args))
      })
      const [atDump] = await Promise.all([dumping, system.write(snippets)])
      const atMoment = own === null ? [] : await nameMoment(url, 'drill')
      // Those from before and of the leaver are in both; what is written meanwhile is in the later one.
      expect(snippetsIn(atDump)).toBeGreaterThan(snippets)
      if (own !== null) expect(snippetsIn(atMoment)).toBe(2 * snippets + 1)
      await step('writing on', () => system.write(Math.ceil(snippets / 10)))
      await step('erasing an account', () => system.leave(leaver[0]))
      const before: Before = { key, written, leaver, ledger: await runIdentity(url, 'ledger') }
      return { before, atDump, atMoment }
    } finally {
      await system.stop()
    }
  }

  /** Applies the ledger to restored data, starts the system on it, and uses it. */
  async function use(url: string, { written, key, leaver, ledger }: Before): Promise<void> {
    const tablesOfLeaver = () => withSession(url, (client) => tablesWith(client, leaver))
    expect(await tablesOfLeaver()).not.toEqual([])
    say(`           ${(await runIdentity(url, 'apply-ledger', ledger)).trim()}`)
    const system = await step(startAgain, () => start(url))
    try {
      // The gateway is ready, so what was erased after the backup must be erased again.
      expect(await tablesOfLeaver()).toEqual([])
      const some = [...written.slice(0, 20), ...written.slice(-20), await system.writeWith(key)]
      const digests = await system.digests(
        some.map(({ id }) => id),
        key,
      )
      expect(digests).toEqual(some.map(({ sha256 }) => [sha256, sha256]))
    } finally {
      await system.stop()
    }
  }

  it('restores a dump and a point in time, row for row, and the system works with both', async () => {
    const file = join(home ?? '', 'snipkeep.dump')
    const { before, atDump, atMoment } = await writeAndBackUp(await createDatabase('drilled'), file)
    const restored = await createDatabase('restored')
    await step(restore, async () => {
      await runOn(programs, 'pg_restore', restored, ['--exit-on-error', '--jobs=2', file])
      await withSession(restored, (client) => client.query('ANALYZE'))
    })
    expectSame('The dump, restored', atDump, await readDigests(restored))
    await use(restored, before)
    sayTotal('the dump', restore, startAgain)
    if (own === null) return say('Recovery to a moment needs a server of the drill, without DATABASE_URL.')
    const { recover } = own
    const recovered = await step(recoverMoment, () => recover('drill'))
    try {
      const url = new URL(recovered.url)
      url.pathname = `/${created[0]}`
      expectSame('The named moment, recovered', atMoment, await readDigests(url.href))
      await use(url.href, before)
      sayTotal('the base backup', recoverMoment, startAgain)
    } finally {
      await recovered.stop()
    }
  })
})

it.runIf(isDrill)('a drill needs the programs of Postgres', () => {
  expect(bin, `PG_BIN names the folder of the programs of Postgres${why}`).not.toBeNull()
})
