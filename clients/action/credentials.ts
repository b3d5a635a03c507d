import { type Auth, apiKey, githubActions, Snipkeep } from '../sdk/exports.js'
import { InputError, type Runner } from './runner.js'

/** What the step authenticates with. */
export interface Credentials {
  readonly auth: Auth
  /** Revokes what was created for this step. */
  end(server: string): Promise<void>
}

function withKey(runner: Runner, key: string): Credentials {
  runner.mask(key)
  if (!/^[\x21-\x7e]+$/.test(key)) throw new InputError('key has characters that no API key has.')
  return { auth: apiKey(key), end: async () => undefined }
}

/** Tokens of the trusted publisher: masked when received, and revoked at the end of the step. */
function withoutKey(runner: Runner, trust: string): Credentials {
  const exchanged = githubActions({ trust })
  const tokens = new Set<string>()
  const auth: Auth = {
    ...exchanged,
    async headers(call) {
      const headers = await exchanged.headers(call)
      const token = headers.Authorization?.replace(/^Bearer /, '') ?? ''
      if (token !== '' && !tokens.has(token)) runner.mask(token)
      tokens.add(token)
      return headers
    },
  }
  return {
    auth,
    async end(server) {
      const anyone = new Snipkeep({ server, retries: 0 })
      // It expires within minutes anyway.
      for (const token of tokens) await anyone.trustedPublishers.revoke(token).catch(() => undefined)
    },
  }
}

/**
 * The credentials given to the step; `null` if none.
 * @throws InputError for a malformed key, without repeating it, and if both a key and a trusted publisher are
 * given.
 */
export function credentialsOf(runner: Runner): Credentials | null {
  const [key, trust] = [runner.input('key'), runner.input('trust')]
  if (key !== '' && trust !== '') throw new InputError('Set trust or key, not both.')
  if (key !== '') return withKey(runner, key)
  const mayProve = (runner.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '') !== ''
  return trust !== '' && mayProve ? withoutKey(runner, trust) : null
}
