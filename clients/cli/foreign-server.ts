import { ProblemError, UnexpectedResponseError } from '../sdk/problem-error.js'
import type { ServerConfig } from '../sdk/server-config.js'
import type { Snipkeep } from '../sdk/snipkeep.js'
import { CliError } from './exit-codes.js'

/** What a server sent last. */
export interface Received {
  readonly server: string
  readonly path: string
  readonly status: number
  readonly type: string
}

/** Statuses with which proxies refuse, or say that the server is away. */
const ofProxies: ReadonlySet<number> = new Set([401, 403, 407, 408, 429])

/** Whether Snipkeep would not send what led to this error: an error without its description, or something other than its JSON. */
function isStrange(error: unknown): boolean {
  if (error instanceof ProblemError)
    return error.problem === null && error.status < 500 && !ofProxies.has(error.status)
  return error instanceof SyntaxError || error instanceof UnexpectedResponseError
}

/** Whether a server describes itself as Snipkeep does; assumed of one that does not respond. */
async function isSnipkeep(sk: Snipkeep): Promise<boolean> {
  try {
    const config: Partial<ServerConfig> | null = await sk.config()
    const { public_base_url: address, share_base_url: shares } = config ?? {}
    return typeof address === 'string' && typeof shares === 'string'
  } catch (error) {
    return !isStrange(error)
  }
}

function kindOf({ status, type }: Received): string {
  if (status >= 400) return String(status)
  if (/\bhtml\b/.test(type)) return 'HTML'
  return /\bjson\b/.test(type) ? 'other JSON' : type.split(';')[0] || 'something else'
}

/** The error, or a better one if it came from a server that is no Snipkeep: then that is asked what it is. */
export async function explainedError(
  error: unknown,
  received: Received | null,
  clientOf: (server: string) => Promise<Snipkeep>,
): Promise<unknown> {
  if (received === null || !isStrange(error)) return error
  const { server, path } = received
  if (await isSnipkeep(await clientOf(server))) return error
  const message = `${server.replace(/\/$/, '')} is not a Snipkeep server (${kindOf(received)} at ${path}).`
  return new CliError(message, undefined, { cause: error })
}
