import { isJson } from '#engine/json-bytes/json-scanner.js'

/** A token of JSON5, white space and comments among them. */
const token =
  /(?<space>\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)|(?<mark>[{}[\]:,])|(?<string>"(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*"|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*')|(?<number>[-+]?(?:0[xX][\dA-Fa-f]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|Infinity|NaN)(?![\p{ID_Continue}$]))|(?<name>[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/uy

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }),
)

/** What a string says; `null` if it has an escape that there is not. */
function stringSaid(source: string): string | null {
  let isWrong = false
  const said = source
    .slice(1, -1)
    .replace(
      /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|(\r\n|[\s\S]))/g,
      (_escape, byte, unit, other: string) => {
        const hex: string | undefined = byte ?? unit
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
        isWrong ||= /[1-9xu]/.test(other)
        // A line may go on behind a backslash.
        return /[\n\r\u2028\u2029]/.test(other) ? '' : (escapes.get(other) ?? other)
      },
    )
  return isWrong ? null : said
}

/** A number as JSON spells it; `null` for infinity and NaN. */
function numberInJson(source: string): string | null {
  if (/[IN]/.test(source)) return null
  const [, sign = '', hex, rest = ''] = /^([-+]?)(?:0[xX]([\dA-Fa-f]+)|(.*))$/.exec(source) ?? []
  const digits =
    hex === undefined ? rest.replace(/^\./, '0.').replace(/\.(?!\d)/, '') : String(BigInt(`0x${hex}`))
  return `${sign === '-' ? '-' : ''}${digits}`
}

/** The tokens that mean something; `null` if there is anything else, or no mark between two of them. */
function tokensOf(text: string): readonly (readonly [kind: string, source: string])[] | null {
  const tokens: (readonly [string, string])[] = []
  let isAfterMark = true
  const pattern = new RegExp(token)
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const { groups = {} } = pattern.exec(text) ?? {}
    const [kind, source] = Object.entries(groups).find(([, found]) => found !== undefined) ?? []
    if (kind === undefined || source === undefined) return null
    if (kind === 'space') continue
    if (kind !== 'mark' && !isAfterMark) return null
    isAfterMark = kind === 'mark'
    tokens.push([kind, source])
  }
  return tokens
}

/**
 * What JSON5 (json5.org) says as JSON, with the digits of its numbers; `null` if the text is no object or array of JSON5.
 * The tree is `null` if the text has infinity or NaN, which JSON lacks. Names with escapes are not read.
 */
export function json5Tree(text: string): { readonly tree: Uint8Array | null } | null {
  const tokens = tokensOf(text)
  if (tokens === null || !/^[{[]/.test(tokens[0]?.[1] ?? '')) return null
  let hasTree = true
  const made = tokens.map(([kind, source], at) => {
    const [before = '', after = ''] = [tokens[at - 1]?.[1], tokens[at + 1]?.[1]]
    const isKey = after === ':' && kind !== 'mark'
    if (kind === 'string') {
      const said = stringSaid(source)
      return said === null ? 'no value' : JSON.stringify(said)
    }
    if (isKey && (kind === 'name' || /^[IN]/.test(source))) return JSON.stringify(source)
    if (kind === 'number') {
      const number = numberInJson(source)
      if (number === null) hasTree = false
      return number ?? '0'
    }
    // A comma may follow the last member or item.
    return source === ',' && /^[}\]]$/.test(after) && !/^[{[,:]?$/.test(before) ? '' : source
  })
  const json = new TextEncoder().encode(made.join(''))
  return isJson(json) ? { tree: hasTree ? json : null } : null
}
