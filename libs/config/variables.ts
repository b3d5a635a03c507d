/** One environment variable: how to parse it, and its documentation. */
export interface Variable<T> {
  /** A sentence or two for `docs/configuration.md`. */
  readonly description: string
  /** The default as the table shows it. */
  readonly fallbackText: string
  /** Whether the value may be in a file named by `NAME_FILE` instead, and is never printed. */
  readonly secret: boolean
  /** Set by tests or by `npm start` alone, and in no document. */
  readonly internal?: true
  /** Called for an unset variable; without a default, throws an `Error` that says what to set. */
  readonly fallback: () => T
  /** Throws an `Error` whose message completes "NAME must be …". */
  readonly parse: (raw: string) => T
}

/** Variables by name, as each process declares them in its `config.ts`. */
export type Variables = Readonly<Record<string, Variable<unknown>>>

/** The parsed values of a set of variables. */
export type Values<V extends Variables> = {
  readonly [K in keyof V]: V[K] extends Variable<infer T> ? T : never
}

/** An error whose message completes "NAME must be …". */
function mustBe(what: string): Error {
  return new Error(what)
}

function variable<T>(
  description: string,
  fallback: T | undefined,
  parse: (raw: string) => T,
  show: (value: T) => string = String,
): Variable<T> {
  return {
    description,
    fallbackText: fallback === undefined ? 'required' : show(fallback),
    secret: false,
    fallback: () => {
      if (fallback === undefined) throw mustBe('set')
      return fallback
    },
    parse,
  }
}

/** Any non-empty text. Without a default it is required. */
export function text(description: string, fallback?: string): Variable<string> {
  return variable(description, fallback, (raw) => raw)
}

/** The same variable, but `null` when it is not set. */
export function optional<T>(inner: Variable<T>, unset = 'none'): Variable<T | null> {
  return { ...inner, fallbackText: unset, fallback: () => null }
}

/** The same variable, never printed and also read from the file in `NAME_FILE`. */
export function secret<T>(inner: Variable<T>): Variable<T> {
  return { ...inner, secret: true }
}

/** The same variable, for tests or `npm start` alone: operators are not told of it. */
export function internal<T>(inner: Variable<T>): Variable<T> {
  return { ...inner, internal: true }
}

/** A whole number from `min` to `max`, both included. */
export function integer(
  description: string,
  range: { min: number; max?: number },
  fallback?: number,
): Variable<number> {
  const max = range.max ?? Number.MAX_SAFE_INTEGER
  return variable(description, fallback, (raw) => {
    const value = Number(raw)
    if (!/^\d+$/.test(raw) || value < range.min || value > max) {
      throw mustBe(
        range.max === undefined
          ? `a whole number of at least ${range.min}`
          : `a whole number from ${range.min} to ${max}`,
      )
    }
    return value
  })
}

/** A fraction from 0 to 1. */
export function fraction(description: string, fallback?: number): Variable<number> {
  return variable(description, fallback, (raw) => {
    const value = Number(raw)
    if (!/^(\d+(\.\d+)?|\.\d+)$/.test(raw) || value > 1) throw mustBe('a number from 0 to 1')
    return value
  })
}

/** A TCP port. */
export function port(description: string, fallback?: number): Variable<number> {
  return integer(description, { min: 0, max: 65_535 }, fallback)
}

/** `true` or `false`. */
export function flag(description: string, fallback: boolean): Variable<boolean> {
  return variable(description, fallback, (raw) => {
    if (raw !== 'true' && raw !== 'false') throw mustBe('true or false')
    return raw === 'true'
  })
}

/** One of the given words. */
export function choice<const T extends string>(
  description: string,
  words: readonly T[],
  fallback?: T,
): Variable<T> {
  return variable(description, fallback, (raw) => {
    const word = words.find((candidate) => candidate === raw)
    if (word === undefined) throw mustBe(`one of ${words.join(', ')}`)
    return word
  })
}

function withoutSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** An absolute http or https URL, without a trailing slash, query or fragment. */
export function httpUrl(description: string, fallback?: string): Variable<string> {
  return variable(description, fallback, (raw) => {
    const url = URL.canParse(raw) ? new URL(raw) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
      throw mustBe('an absolute http or https URL without query or fragment')
    }
    return withoutSlashes(url.href)
  })
}

/** The address of a site that has a host, or a port, of its own: an http or https URL without a path. */
export function siteUrl(description: string, fallback?: string): Variable<string> {
  return variable(description, fallback, (raw) => {
    const url = URL.canParse(raw) ? new URL(raw) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/` || /[?#]$/.test(raw))
      throw mustBe(
        'an http or https URL without a path, such as https://snipkeep.example: a host or a port of its own is needed, since nothing works below a path',
      )
    return url.origin
  })
}

/** A comma-separated list whose items `parseItem` reads; its error completes "NAME must be …". */
export function list<T>(
  description: string,
  parseItem: (item: string) => T,
  fallback?: readonly T[],
): Variable<readonly T[]> {
  return variable(
    description,
    fallback,
    (raw) =>
      raw
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map(parseItem),
    (value) => (value.length === 0 ? 'none' : value.join(', ')),
  )
}
