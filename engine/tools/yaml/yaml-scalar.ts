/** Plain scalars that some version of YAML, or some parser, reads as something other than a string. */
const isReserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i
/** Strings that no parser takes for another value or for syntax. */
const isPlain = /^[\p{L}_/$][\p{L}\p{M}\p{N}_/$.,;@()+*=%&!?<>|^~'"\\ :#-]*$/u
const isMisread = /: |:$| #| $/
/** What a block or plain scalar cannot contain. */
const isUnprintable =
  /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escaped(character: string): string {
  const code = character.charCodeAt(0)
  return escapes.get(character) ?? `\\u${code.toString(16).padStart(4, '0')}`
}

/** A string in double quotes. */
export function quotedScalar(text: string): string {
  const escapable = /["\\\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/gu
  return `"${text.replace(escapable, escaped)}"`
}

/** A string on one line: as it is, or in double quotes if it could be read as anything else. */
export function flowScalar(text: string): string {
  const isSafe =
    isPlain.test(text) && !isMisread.test(text) && !isReserved.test(text) && !isUnprintable.test(text)
  return isSafe ? text : quotedScalar(text)
}

/** A string of several lines as a literal block, whose lines begin with `indent`; `null` if blocks cannot hold it. */
export function blockScalar(text: string, indent: string): string | null {
  if (!text.includes('\n') || isUnprintable.test(text)) return null
  // The first line tells the indentation, so it may not begin with white space of its own.
  if (/^\s/.test(text) || /\n[ \t]+\n*$/.test(text)) return null
  const ending = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const body = ending === '-' ? text : text.slice(0, -1)
  return `|${ending}\n${body.replace(/^(?=.)/gm, indent)}`
}
