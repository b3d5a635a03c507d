import { html } from '#libs/html/html.js'
import type { Site } from '../site.js'
import { text } from '../texts/text.js'
import { noStore, type PageResponse } from './page.js'
import { statusPage } from './status-pages.js'

/** Where an issuer sends the browser that signs in for the command line. */
export const cliCallbackPath = '/cli/callback'

/** The state that the command line makes: the port on which it waits, and a secret. */
const statePattern = /^([1-9][0-9]{3,4})\.[A-Za-z0-9_-]{43}$/
const portMin = 1_024
const portMax = 65_535

/** The parameters of an authorization response (RFC 6749, RFC 9207). */
const passedOn = ['code', 'state', 'iss', 'error', 'error_description'] as const

/** Where the command line waits on the person's own machine; `null` unless its state says so. */
function waitingAt(site: Pick<Site, 'publicBaseUrl'>, search: URLSearchParams): string | null {
  if (passedOn.some((name) => search.getAll(name).length > 1)) return null
  const port = Number(statePattern.exec(search.get('state') ?? '')?.[1] ?? 0)
  if (port < portMin || port > portMax) return null
  const query = new URLSearchParams()
  for (const name of passedOn) {
    const value = search.get(name)
    if (value !== null) query.set(name, value)
  }
  // The command line accepts the sign-in only from the server that it was told to sign in to.
  query.set('server', site.publicBaseUrl)
  return `http://127.0.0.1:${port}/callback?${query}`
}

/**
 * Passes what the issuer responds on to the command line, on this machine alone. Issuers redirect only to addresses that
 * are registered with them, so no other server can have people sign in as if for this one. A page instead of a redirect,
 * since an issuer's policy for its form may not allow the form to end on another machine than ours.
 */
export function cliCallbackResponse(site: Site, search: URLSearchParams): PageResponse {
  const target = waitingAt(site, search)
  if (target === null) {
    const body = statusPage(site, 'cli.invalid', html`<p>${text('cli.invalidText')}</p>`)
    return { status: 400, body, headers: noStore }
  }
  const way = html`<a class="button first" href="${target}" rel="noreferrer">${text('cli.continue')}</a>\n`
  const body = statusPage(site, 'cli.title', html`<p>${text('cli.text')}</p>`, way)
  return { status: 200, body, headers: { ...noStore, Refresh: `0; url=${target}` } }
}
