import type { BrowserContext, Request } from 'playwright-core'

/** What pages of a profile did that our pages must never do, as it happens. */
export interface BrowserErrors {
  readonly dialogs: string[]
  /** Injected scripts that ran. */
  readonly runs: string[]
  /** CSP reports. */
  readonly violations: string[]
  /** Requests to any origin except the page's own. */
  readonly foreignRequests: string[]
  /** Uncaught errors and the browser's own error messages, workers included. */
  readonly errors: string[]
}

/** The expected record of our pages: nothing. */
export const noBrowserErrors: BrowserErrors = {
  dialogs: [],
  runs: [],
  violations: [],
  foreignRequests: [],
  errors: [],
}

/** Runs in each page first: reports CSP violations and the mark that injected scripts leave. */
const reporter = `
addEventListener('securitypolicyviolation', (event) =>
  report('violations', event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))
Object.defineProperty(window, '__hit', { set: () => report('runs', location.href) })
`

/** The browser's message for a response of 400 and above, which is not an error of the page. */
const refusal = /^Failed to load resource: the server responded with a status of/

/** The URL of the requesting page; a page that is still being opened has none. */
function openerOf(request: Request): string {
  try {
    return request.frame().page().mainFrame().url()
  } catch {
    return 'about:blank'
  }
}

/**
 * Watches all pages of a profile from now on. Dialogs are dismissed.
 * @param origins that pages may use besides their own, such as the issuer's.
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
