import type { BrowserContext, Request } from 'playwright-core'

/** What pages of a profile have done that a page of ours never does, as it happened. */
export interface BrowserErrors {
  readonly dialogs: string[]
  /** Planted scripts that ran. */
  readonly runs: string[]
  /** Reports of the Content-Security-Policy. */
  readonly violations: string[]
  /** Requests to any origin but that of the page that made them. */
  readonly foreignRequests: string[]
  /** Errors that no one caught, and what the browser itself complains about, in workers too. */
  readonly errors: string[]
}

/** What a page of ours has on record: nothing. */
export const noBrowserErrors: BrowserErrors = {
  dialogs: [],
  runs: [],
  violations: [],
  foreignRequests: [],
  errors: [],
}

/** Runs in each page before anything else: tells of violations and of the mark that planted scripts leave. */
const reporter = `
addEventListener('securitypolicyviolation', (event) =>
  report('violations', event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))
Object.defineProperty(window, '__hit', { set: () => report('runs', location.href) })
`

/** How browsers report a response of 400 and above, which is not an error of the page. */
const refusal = /^Failed to load resource: the server responded with a status of/

/** The address of the page that asks; of one that is only being opened there is none yet. */
function openerOf(request: Request): string {
  try {
    return request.frame().page().mainFrame().url()
  } catch {
    return 'about:blank'
  }
}

/**
 * Watches all pages of a profile from now on. Dialogs are dismissed.
 * @param origins those that pages may ask or go to besides their own, such as that of the issuer.
 */
export async function watch(
  context: BrowserContext,
  origins: readonly string[] = [],
): Promise<BrowserErrors> {
  const browserErrors: BrowserErrors = {
    dialogs: [],
    runs: [],
    violations: [],
    foreignRequests: [],
    errors: [],
  }
  await context.exposeFunction('report', (kind: 'violations' | 'runs', what: string) => {
    browserErrors[kind].push(what)
  })
  await context.addInitScript(reporter)
  context.on('dialog', (dialog) => {
    browserErrors.dialogs.push(dialog.message())
    // It may be gone with its page already.
    dialog.dismiss().catch(() => undefined)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && !refusal.test(message.text()))
      browserErrors.errors.push(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => {
    browserErrors.errors.push(String(error.error()))
  })
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    const page = openerOf(request)
    const own = protocol === 'data:' || protocol === 'blob:' || page === 'about:blank'
    if (!own && ![new URL(page).origin, ...origins].includes(origin))
      browserErrors.foreignRequests.push(request.url())
  })
  return browserErrors
}
