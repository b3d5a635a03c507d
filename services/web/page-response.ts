/** The response to a request for a page. */
export interface PageResponse {
  readonly status: number
  readonly body: Buffer
  /** These replace those that every response has. */
  readonly headers: Readonly<Record<string, string>>
}

/** For what may be different the next time. */
export const noStore = { 'Cache-Control': 'no-store' }

/** What the pages with scripts are allowed beyond those without. */
export interface ScriptAllowance {
  /** Fresh for each response: only what carries it runs, and what that loads. */
  readonly nonce: string
  /** Origins besides our own that scripts may ask. */
  readonly connect: readonly string[]
}

/** Who may show a page in a frame: no one, or any page. */
export type Framing = "'none'" | '*'

const nothing = (framing: Framing): string =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${framing}; object-src 'none'`
const typed = "require-trusted-types-for 'script'"

/** The policy of a page: styles and pictures of our own, no script at all, or those that the nonce names. */
export function contentSecurityPolicy(scripts: ScriptAllowance | null, framing: Framing = "'none'"): string {
  if (scripts === null)
    return `${nothing(framing)}; style-src 'self'; img-src 'self' data:; ${typed}; trusted-types 'none'`
  const { nonce, connect } = scripts
  return [
    nothing(framing),
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "worker-src 'self'",
    typed,
    'trusted-types snipkeep dompurify',
  ].join('; ')
}

/** The policy of a script's own response, which is that of a worker made from it: it asks and imports our own alone. */
export const workerSecurityPolicy = `${nothing("'none'")}; script-src 'self'; connect-src 'self'`

/** Headers of every response: nothing is loaded from elsewhere, nothing runs, no one frames it, no search engine lists it. */
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

/** What a page that is made for frames has instead: any page may show it, also one that loads nothing without leave. */
export function framedHeaders(scripts: ScriptAllowance | null): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(scripts, '*'),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}
