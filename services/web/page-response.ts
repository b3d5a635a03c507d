export interface PageResponse {
  readonly status: number
  readonly body: Buffer
  /** Override the headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** For responses that may change. */
export const noStore = { 'Cache-Control': 'no-store' }

/** What pages with scripts are allowed beyond those without. */
export interface ScriptAllowance {
  /** Fresh for each response. Only scripts that carry it run, and what those load. */
  readonly nonce: string
  /** Origins besides our own that scripts may connect to. */
  readonly connect: readonly string[]
  /** Whether forms may be sent to our own origin. */
  readonly forms?: boolean
}

/** Who may embed a page: no one, or any page. */
export type Framing = "'none'" | '*'

const nothing = (framing: Framing, forms = "'none'"): string =>
  `default-src 'none'; base-uri 'none'; form-action ${forms}; frame-ancestors ${framing}; object-src 'none'`
const typed = "require-trusted-types-for 'script'"

const noScripts = `style-src 'self'; img-src 'self' data:; ${typed}; trusted-types 'none'`

/** The CSP of a page with a form and without scripts; browsers also check where a response redirects to. */
export function formSecurityPolicy(targets: readonly string[]): string {
  return `${nothing("'none'", ["'self'", ...targets].join(' '))}; ${noScripts}`
}

/** The CSP of a page: our own styles and images, and no scripts except those with the nonce. */
export function contentSecurityPolicy(scripts: ScriptAllowance | null, framing: Framing = "'none'"): string {
  if (scripts === null) return `${nothing(framing)}; ${noScripts}`
  const { nonce, connect, forms = false } = scripts
  return [
    nothing(framing, forms ? "'self'" : "'none'"),
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "worker-src 'self'",
    typed,
    'trusted-types snipkeep dompurify',
  ].join('; ')
}

/**
 * The CSP of a script's response, which applies to workers made from it: they may connect to and import from
 * our own origin.
 */
export const workerSecurityPolicy = `${nothing("'none'")}; script-src 'self'; connect-src 'self'`

/** Headers of every response: no other origins, no scripts, no embedding, no search engines. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy(null),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}

/**
 * The differences for pages made for embedding: any page may embed them, even under COEP `require-corp`.
 */
export function framedHeaders(scripts: ScriptAllowance | null): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(scripts, '*'),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}
