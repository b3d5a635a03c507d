/** What a rule matched, unescaped. */
export interface SecretMatch {
  /** All of it, from the start on. */
  readonly text: string
  /** The start that was found. */
  readonly start: string
  /** What must not be shown. */
  readonly secret: string
}

/** Describes one kind of secret. */
export interface SecretRule {
  readonly id: string
  /** For people, with its article. */
  readonly name: string
  /** Whether a match is a secret beyond doubt; otherwise it is likely one. */
  readonly certain: boolean
  /** What it begins with: at least three characters. */
  readonly starts: readonly string[]
  /** What follows, sticky. The group `secret` is what must not be shown; without it, all of the rest. */
  readonly rest: RegExp
  /** How many of the characters A-Z a-z 0-9 _ - follow the start at least. Most other texts are dismissed by this. */
  readonly least: number
  /** How many bytes it is recognized by, if they are many. */
  readonly reach?: number
  /** Whether it may follow a letter or digit. */
  readonly anywhere?: true
  /** Whether some characters of the token come before the start. */
  readonly beginsBefore?: true
  /** What is shown instead of its start and end. */
  readonly shown?: string
  /** Whether an `@` must follow before the end of the host of a URL. */
  readonly hasAuthority?: true
  /** Whether it continues beyond what the rule matches, up to an end line. */
  readonly hasEndLine?: true
  /** Decides what no expression can. `null` if it is not a secret; otherwise whether it is certain. */
  check?(match: SecretMatch, nowMs: number): boolean | null
}

/** A pattern for text that a token does not continue. */
export const tokenEnd = '(?![A-Za-z0-9_-])'

/** A token: a start, then so many characters of a set. */
export function token(
  id: string,
  name: string,
  starts: readonly string[],
  characters: string,
  least: number,
  most = least,
): SecretRule {
  const rest = new RegExp(`[${characters}]{${least},${most}}${tokenEnd}`, 'y')
  return { id, name, certain: true, starts, rest, least, check: checkToken }
}

/** Characters of which placeholders repeat a few. */
const differentMin = 6

/** Whether a text, such as `xxxxxxxx` or `EXAMPLEKEY`, stands for a secret without being one. */
export function isPlaceholder(text: string): boolean {
  return new Set(text).size < differentMin || /example|placeholder|x{6}|your[-_]/i.test(text)
}

/** Certain, unless it is a placeholder. */
export function checkToken({ secret }: SecretMatch): boolean | null {
  return isPlaceholder(secret) ? null : true
}
