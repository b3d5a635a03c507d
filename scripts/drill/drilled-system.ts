import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { messageOf } from '#libs/core/message-of.js'
import { createPortFinder } from '#libs/runtime/free-port.js'
import { apiKey, idToken } from '#sdk/auth.js'
import { PermissionError } from '#sdk/problem-error.js'
import { Snipkeep } from '#sdk/snipkeep.js'

/** A written record, and how to verify it. */
export interface Written {
  readonly id: string
  /** Of the bytes of `data`. */
  readonly sha256: string
}

/** The whole system on one database. */
export interface DrilledSystem {
  /** Writes this many snippets, some of them large, each with a share and a history entry. */
  write(count: number): Promise<readonly Written[]>
  /** An API key of the Pro user. */
  makeKey(): Promise<string>
  /** Someone else signs in and writes a little, with this marker in it; returns their account. */
  arrive(marker: string): Promise<string>
  /** That person deletes the account; resolves when it is erased. */
  leave(accountId: string): Promise<void>
  /** Why the records cannot be used as before; `null` if they can. */
  smoke(written: readonly Written[], key: string): Promise<string | null>
  stop(): Promise<void>
}

const largeBytes = 200_000
const script = (path: string): string => resolve('dist', path)

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Every seventh is too large for its row and is stored in chunks. */
function dataOf(number: number): string {
  const text = randomBytes(number % 7 === 0 ? largeBytes / 2 : 40).toString('hex')
  return `{"n":${number}.0,"text":"${text}"}`
}

async function writeOne(user: Snipkeep, number: number): Promise<Written> {
  const json = dataOf(number)
  const fields = { tool: 'drill', title: `Number ${number}` }
  const { id } = await user.snippets.create({ ...fields, json })
  await user.shares.create({ ...fields, data: { n: number } })
  await user.history.record({ tool: 'drill' })
  return { id, sha256: sha256(json) }
}

async function whyNotAsBefore(user: Snipkeep, { id, sha256: expected }: Written): Promise<string | null> {
  try {
    const raw = await user.snippets.raw(id)
    return sha256(await raw.bytes()) === expected ? null : `the bytes of the snippet ${id} have changed`
  } catch (error) {
    return `reading the snippet ${id} fails: ${messageOf(error)}`
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}

/** What survives a restart of the system: its secrets, and its issuer's URL. */
export interface DrillSetup {
  readonly dataDir: string
  readonly port: number
  readonly issuerPort: number
  readonly sandboxPort: number
}

/** Generates what survives. */
export async function chooseSetup(dataDir: string): Promise<DrillSetup> {
  const finder = createPortFinder()
  const [port, issuerPort, sandboxPort] = await Promise.all([finder.free(), finder.free(), finder.free()])
  return { dataDir, port, issuerPort, sandboxPort }
}

/** The account of this user; empty while it is closed. */
async function accountOf(user: Snipkeep): Promise<string> {
  try {
    return (await user.account.profile()).id
  } catch (error) {
    if (error instanceof PermissionError) return ''
    throw error
  }
}

async function arrive(user: Snipkeep, marker: string): Promise<string> {
  const record = { tool: 'drill', title: marker, data: { marker } }
  await user.snippets.create(record)
  await user.shares.create(record)
  await user.history.record({ tool: 'drill', title: marker })
  return accountOf(user)
}

async function leave(user: Snipkeep, accountId: string): Promise<void> {
  await user.account.close(accountId)
  // A sign-in after the erasure makes a new account.
  while (['', accountId].includes(await accountOf(user))) await sleep(200)
}

const startsMax = 3

/**
 * Starts the system on a database and resolves when it responds; tries another port if one was taken
 * meanwhile.
 */
export async function startDrilledSystem(databaseUrl: string, setup: DrillSetup): Promise<DrilledSystem> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOnce(databaseUrl, setup)
    } catch (error) {
      if (starts === startsMax) throw error
    }
  }
}

async function startOnce(
  databaseUrl: string,
  { dataDir, port, issuerPort, sandboxPort }: DrillSetup,
): Promise<DrilledSystem> {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEV_ISSUER_PORT: String(issuerPort),
    SANDBOX_PORT: String(sandboxPort),
    RATE_LIMIT_STRICT: 'off',
    RATE_LIMIT_STANDARD: 'off',
    RATE_LIMIT_FAIR_USE: 'off',
    LOG_LEVEL: 'error',
    ACCOUNT_ERASURE_DAYS: '0',
    // Makes the launcher stop when its parent is gone, as when npm is killed.
    npm_lifecycle_event: 'drill',
  }
  const child = spawn(process.execPath, [script('deploy/launcher/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const abort = new AbortController()
  child.once('exit', () => abort.abort(new Error('The system ended while it was being started.')))
  // It prints its welcome once it is ready and the development users exist.
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    new Promise((_resolve, reject) =>
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason)),
    ),
  ])
  const userOf = async (name: string): Promise<Snipkeep> => {
    const args = [script('dev/issuer/print-token.js'), 'token', name]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    return new Snipkeep({ server: url, auth: idToken(stdout.trim()) })
  }
  const owner = await userOf('pro')
  return {
    async write(count) {
      const written: Written[] = []
      for (let number = 0; number < count; number += 1) written.push(await writeOne(owner, number))
      return written
    },
    makeKey: async () => (await owner.keys.create({ name: 'drill', scopes: ['read', 'write'] })).key,
    arrive: async (marker) => arrive(await userOf('leaver'), marker),
    leave: async (accountId) => leave(await userOf('leaver'), accountId),
    async smoke(written, key) {
      const keyed = new Snipkeep({ server: url, auth: apiKey(key) })
      for (const one of written) {
        const why = (await whyNotAsBefore(owner, one)) ?? (await whyNotAsBefore(keyed, one))
        if (why !== null) return why
      }
      return whyNotAsBefore(owner, await writeOne(keyed, 0))
    },
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}
