import { ConnectionError } from './problem-error.js'

/** The server answers with another address. Credentials are not sent there. */
export class RedirectError extends ConnectionError {}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Call it on every response: not all runtimes have the redirect mode `error`, so requests are made with `manual`,
 * for which browsers give no status.
 * @throws RedirectError
 */
export async function refuseRedirect(response: Response, server: string): Promise<void> {
  if (response.type !== 'opaqueredirect' && !redirects.has(response.status)) return
  await response.body?.cancel()
  throw new RedirectError(`${server} redirects to another address. Use that one instead.`)
}
