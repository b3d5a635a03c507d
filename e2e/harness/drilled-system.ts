import { createHash, randomBytes } from 'node:crypto'
import { apiKey, idToken } from '#sdk/auth.js'
import { PermissionError } from '#sdk/problem-error.js'
import { Snipkeep } from '#sdk/snipkeep.js'
import { type StartOptions, startAsUsers } from './started-system.js'
import { until } from './until.js'

/** A written record, and how to verify it. */
export interface Written {
  readonly id: string
  /** Of the bytes of `data`. */
  readonly sha256: string
}

/** Every seventh is larger than that and is stored in chunks. */
const largeBytes = 200_000

/** Every service has to erase its part first, and a job that failed waits before its next attempt. */
const erasedWithinMs = 300_000

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function writeOne(user: Snipkeep, number: number): Promise<Written> {
  const text = randomBytes(number % 7 === 0 ? largeBytes / 2 : 40).toString('hex')
  const json = `{"n":${number}.0,"text":"${text}"}`
  const fields = { tool: 'drill', title: `Number ${number}` }
  const { id } = await user.snippets.create({ ...fields, json })
  await user.shares.create({ ...fields, data: { n: number } })
  await user.history.record({ tool: 'drill' })
  return { id, sha256: sha256(json) }
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

/**
 * How a drill starts the system. It inherits nothing else of an operator's environment, whose buckets, queues and
 * payments are those of the real system.
 */
export function drilledOptions(databaseUrl: string): StartOptions {
  const { PATH, HOME } = process.env
  const env = {
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_STRICT: 'off',
    RATE_LIMIT_STANDARD: 'off',
    RATE_LIMIT_FAIR_USE: 'off',
    LOG_LEVEL: 'error',
    ACCOUNT_ERASURE_DAYS: '0',
    // Makes the launcher stop when its parent is gone, as when npm is killed.
    npm_lifecycle_event: 'drill',
  }
  return { inherited: { PATH, HOME }, env }
}

/**
 * Starts the system on a database, as `npm start` does.
 * @param ports those of the first start: the issuer's URL survives a restore.
 */
export async function startDrilledSystem(databaseUrl: string, dataDir: string, ports: readonly string[]) {
  const { url, token, stop } = await startAsUsers(dataDir, { ...drilledOptions(databaseUrl), ports })
  const userOf = async (name: string) => new Snipkeep({ server: url, auth: idToken(await token(name)) })
  const owner = await userOf('pro')
  return {
    stop,
    /** Writes this many snippets, some of them large, each with a share and a history entry. */
    async write(count: number): Promise<readonly Written[]> {
      const written: Written[] = []
      for (let number = 0; number < count; number += 1) written.push(await writeOne(owner, number))
      return written
    },
    /** An API key of the Pro user. */
    makeKey: async () => (await owner.keys.create({ name: 'drill', scopes: ['read', 'write'] })).key,
    /** Someone else signs in and writes a little, with this marker in it; returns their account. */
    async arrive(marker: string): Promise<string> {
      const user = await userOf('leaver')
      const record = { tool: 'drill', title: marker, data: { marker } }
      await user.snippets.create(record)
      await user.shares.create(record)
      await user.history.record({ tool: 'drill', title: marker })
      return accountOf(user)
    },
    /** That person deletes the account; resolves when it is erased. */
    async leave(accountId: string): Promise<void> {
      const user = await userOf('leaver')
      await user.account.close(accountId)
      // A sign-in after the erasure makes a new account.
      let found = accountId
      const isAnother = async (): Promise<boolean> => {
        found = await accountOf(user)
        return !['', accountId].includes(found)
      }
      const stillThere = () =>
        `the account is not erased: a sign-in finds ${found === '' ? 'it closed' : `account ${found}`}`
      await until(isAnother, stillThere, erasedWithinMs)
    },
    /** The digests of these records, read with the ID token and with an API key. */
    async digests(ids: readonly string[], key: string): Promise<readonly (readonly [string, string])[]> {
      const keyed = new Snipkeep({ server: url, auth: apiKey(key) })
      const read = async (user: Snipkeep, id: string) => sha256(await (await user.snippets.raw(id)).bytes())
      const digests: [string, string][] = []
      for (const id of ids) digests.push([await read(owner, id), await read(keyed, id)])
      return digests
    },
    /** Writes one record with an API key. */
    writeWith: (key: string) => writeOne(new Snipkeep({ server: url, auth: apiKey(key) }), 0),
  }
}

/** The whole system on one database. */
export type DrilledSystem = Awaited<ReturnType<typeof startDrilledSystem>>
