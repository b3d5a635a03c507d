import type { Auth } from '../sdk/auth.js'
import { Snipkeep } from '../sdk/snipkeep.js'
import { ciCredentials, hasCiCredentials } from './ci-credentials.js'
import { type Profile, readProfiles, writeProfile } from './credentials.js'
import { CliError, describeError, exitCodes, usageError } from './exit-codes.js'
import { explainedError, type Received } from './foreign-server.js'
import { createNodeFetch } from './node-fetch.js'
import { type Progress, showProgress, showWork } from './progress.js'
import { jsonText, printable, printableLines, type Terminal, write } from './terminal.js'
import { isAllowedAddress } from './web-address.js'

/** The options of every command. */
export interface CommonOptions {
  readonly server?: string
  readonly profile: string
  readonly json?: boolean
  readonly jsonFields?: string
  readonly quiet?: boolean
  readonly progress: boolean
  readonly retry: boolean
}

/** What a command works with. */
export interface Context {
  readonly terminal: Terminal
  readonly options: CommonOptions
  /** The server and what is stored for it. */
  profile(): Promise<Profile>
  /**
   * The headers that authenticate the caller; an expiring sign-in is renewed.
   * @throws CliError `notSignedIn` without credentials.
   */
  credentials(): Promise<Readonly<Record<string, string>>>
  /** A client with the caller's credentials, or others, or none, of the caller's server or another. */
  client(as?: Auth | 'public', server?: string): Promise<Snipkeep>
  /** Writes the result to stdout: JSON with --json, else this text. */
  result(value: unknown, text: string): Promise<void>
  /** Writes a line for people to stderr. */
  note(text: string): Promise<void>
  progress(label: string, totalBytes: number | null): Progress
  /** The error, or a better one if the server is no Snipkeep. */
  explained(error: unknown): Promise<unknown>
  /** Does what keeps this process busy, and shows which share of it is done. */
  work<Result>(label: string, run: (onProgress: (share: number) => void) => Result): Result
}

/** Parses the address of a server as typed. */
export function serverUrl(typed: string, env: Terminal['env']): URL {
  const text = /^https?:\/\//.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(text)) throw usageError(`This is not the address of a server: ${typed}`)
  const url = new URL(text)
  if (!isAllowedAddress(url, env))
    throw usageError(
      `${url.origin} has no TLS: others could read your credentials. Use https, or set SNIPKEEP_ALLOW_INSECURE=true.`,
    )
  return url
}

/** Tokens are renewed a minute before they expire. */
const renewBeforeMs = 60_000

function picked(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => picked(one, fields))
  return Object.fromEntries(fields.map((field) => [field, Reflect.get(Object(value), field) ?? null]))
}

/** Credentials in the environment need no file. */
function areInEnvironment(env: Terminal['env']): boolean {
  return Boolean(env.SNIPKEEP_KEY || env.SNIPKEEP_TOKEN) || hasCiCredentials(env)
}

async function credentialsOf(
  terminal: Terminal,
  name: string,
  profile: Profile,
  ofJob: ReturnType<typeof ciCredentials>,
): Promise<Readonly<Record<string, string>>> {
  const { env } = terminal
  if (env.SNIPKEEP_KEY) return { 'X-API-Key': env.SNIPKEEP_KEY }
  if (env.SNIPKEEP_TOKEN) return { Authorization: `Bearer ${env.SNIPKEEP_TOKEN}` }
  if (hasCiCredentials(env)) return ofJob(serverUrl(profile.server, env).href)
  if (profile.key !== undefined) return { 'X-API-Key': profile.key }
  if (profile.token !== undefined) return { Authorization: `Bearer ${profile.token}` }
  let signIn = profile.sign_in
  if (signIn === undefined) {
    const hint = env.SNIPKEEP_TRUST
      ? 'SNIPKEEP_TRUST is set, but this job has no ID token: allow it one (docs/ci.md).'
      : 'You are not signed in. Run: snipkeep login, or set SNIPKEEP_KEY.'
    throw new CliError(hint, exitCodes.notSignedIn)
  }
  if (signIn.expires_at - renewBeforeMs < Date.now()) {
    const { renew } = await import('./sign-in/issuer.js')
    try {
      signIn = await renew(signIn, terminal)
    } catch (error) {
      throw new CliError('Your sign-in could not be renewed. Run: snipkeep login', exitCodes.notSignedIn, {
        cause: error,
      })
    }
    await writeProfile(env, name, { ...profile, sign_in: signIn })
  }
  return { Authorization: `Bearer ${signIn.id_token}` }
}

/** Creates the context for these options. */
export function createContext(terminal: Terminal, options: CommonOptions): Context {
  const { env, stdout, stderr, signal, version } = terminal
  const note: Context['note'] = (text) =>
    options.quiet === true ? Promise.resolve() : write(stderr, `${printable(text)}\n`)

  const ofJob = ciCredentials(env)
  const proof = (found: Profile) => credentialsOf(terminal, options.profile, found, ofJob)

  async function profile(): Promise<Profile> {
    const hasOwn = areInEnvironment(env)
    const typed = options.server ?? (env.SNIPKEEP_SERVER || undefined)
    // With server and credentials from the environment, the file is not needed.
    const stored = hasOwn && typed !== undefined ? undefined : (await readProfiles(env))[options.profile]
    const address = typed ?? stored?.server
    if (address === undefined)
      throw usageError('No server is known. Run: snipkeep login --server URL, or set SNIPKEEP_SERVER.')
    const url = serverUrl(address, env).href
    // Credentials are only sent to the server they were stored for.
    return stored !== undefined && serverUrl(stored.server, env).href === url ? stored : { server: url }
  }

  let received: Received | null = null
  const send = createNodeFetch(env)
  async function client(as?: Auth | 'public', address?: string): Promise<Snipkeep> {
    const found = address === undefined ? await profile() : { server: address }
    const own: Auth = { headers: () => proof(found) }
    const server = serverUrl(found.server, env).href
    return new Snipkeep({
      server,
      auth: as === 'public' ? undefined : (as ?? own),
      retries: options.retry ? 3 : 0,
      async fetch(url, init) {
        const response = await send(url, init)
        const type = response.headers.get('Content-Type') ?? ''
        received = { server, path: new URL(String(url)).pathname, status: response.status, type }
        return response
      },
      userAgent: `snipkeep-cli/${version}`,
      signal,
      onRetry: (error, waitMs) =>
        void note(`${describeError(error)} Trying again in ${Math.ceil(waitMs / 1_000)} s.`).catch(
          () => undefined,
        ),
    })
  }

  return {
    terminal,
    options,
    profile,
    credentials: async () => proof(await profile()),
    note,
    client,
    explained: (error) => explainedError(error, received, (server) => client('public', server)),
    async result(value, text) {
      const fields = options.jsonFields?.split(',').map((field) => field.trim())
      const shown = fields === undefined ? value : picked(value, fields)
      await write(stdout, options.json === true ? jsonText(shown) : printableLines(text))
    },
    progress: (label, totalBytes) =>
      showProgress(terminal, label, totalBytes, options.quiet === true || !options.progress),
    work: (label, run) => showWork(terminal, label, options.quiet === true || !options.progress, run),
  }
}
