/** The headers that tell who a request comes from, or what its refusal looks like. */
const telling: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'stripe-signature',
  'origin',
  'x-forwarded-for',
])
/** Of them, how long names are: most headers need no closer look. */
const tellingLengths: ReadonlySet<number> = new Set([...telling].map((name) => name.length))

/** What of a request decides whether a limit refuses it, as the parser read it. */
export interface RefusalHead {
  readonly method: string | undefined
  /** As it was sent, with its query. */
  readonly url: string | undefined
  /** Name, value, name, value, nothing taken out. */
  readonly rawHeaders: readonly string[]
  readonly remoteAddress: string | undefined
}

/** Longer ones are not worth their place in memory. */
const keyLengthMax = 4_096

/**
 * All that decides whether a limit refuses a request and how: equal for two requests only if the same address sent the
 * same line and every such header as often, in the same order. `null` where that is too long. It holds the credential
 * as it came, as a digest would cost as much as all else together; so it must be kept for moments only, and never told.
 */
export function refusalKey({ method, url, rawHeaders, remoteAddress }: RefusalHead): string | null {
  // No line break gets through the parser, so the parts cannot be taken for others.
  let key = `${remoteAddress}\n${method} ${url}`
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!tellingLengths.has(name.length)) continue
    const plain = name.toLowerCase()
    if (telling.has(plain)) key += `\n${plain}:${rawHeaders[index + 1]}`
  }
  return key.length > keyLengthMax ? null : key
}
