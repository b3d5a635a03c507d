import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Auth } from '../sdk/auth.js'
import { githubActions, gitlab } from '../sdk/ci-auth.js'
import { isCode } from '../sdk/problem-error.js'
import { credentialsPath } from './credentials.js'
import { CliError, exitCodes } from './exit-codes.js'
import type { Terminal } from './terminal.js'

type Headers = Readonly<Record<string, string>>

/** The job's ID tokens: GitHub issues new ones on request, others set one in a variable. */
function isInJob(env: Terminal['env']): boolean {
  return Boolean(env.SNIPKEEP_ID_TOKEN || env.ACTIONS_ID_TOKEN_REQUEST_URL)
}

/** Whether the environment names a trusted publisher and can provide an ID token. */
export function hasCiCredentials(env: Terminal['env']): boolean {
  return Boolean(env.SNIPKEEP_TRUST) && isInJob(env)
}

/** Caches the access token that a job got for its only ID token, so that its next command can use it. */
function keptPath(env: Terminal['env'], server: string, trust: string): string {
  const of = JSON.stringify([server, trust, env.SNIPKEEP_ID_TOKEN])
  const name = createHash('sha256').update(of).digest('hex').slice(0, 32)
  return join(dirname(credentialsPath(env)), `ci-${name}.json`)
}

async function readKept(path: string): Promise<Headers | null> {
  try {
    if (((await stat(path)).mode & 0o077) !== 0) return null
    return JSON.parse(await readFile(path, 'utf8')) as Headers
  } catch {
    return null
  }
}

/** A job without a writable home works without the cache. */
async function keep(path: string, headers: Headers): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, JSON.stringify(headers), { mode: 0o600, flag: 'w' })
  } catch {
    return
  }
}

async function exchanged(auth: Auth, server: string): Promise<Headers> {
  try {
    return await auth.headers({ server, fetch: globalThis.fetch })
  } catch (error) {
    if (!isCode(error, 'invalid_grant')) throw error
    throw new CliError(
      'The token of this CI job was not accepted. The owner of the trusted publisher sees why with: snipkeep trust events',
      exitCodes.notSignedIn,
      { cause: error },
    )
  }
}

/** The credentials of a CI job, exchanged on first use. */
export function ciCredentials(env: Terminal['env']): (server: string) => Promise<Headers> {
  const trust = env.SNIPKEEP_TRUST ?? ''
  const once = env.SNIPKEEP_ID_TOKEN
  const auth = once === undefined || once === '' ? githubActions({ trust }) : gitlab({ trust, idToken: once })
  return async (server) => {
    if (!once) return exchanged(auth, server)
    const path = keptPath(env, server, trust)
    const known = await readKept(path)
    if (known !== null) return known
    const headers = await exchanged(auth, server)
    await keep(path, headers)
    return headers
  }
}
