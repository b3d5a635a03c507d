import type { Kind } from '../document/kinds/kind.js'

/** The class of a token, which decides its colour. */
export type TokenKind = 'key' | 'string' | 'number' | 'keyword' | 'comment'

// Each line is tokenised by itself: rows start anywhere, and a line may have been cut.
const json =
  /(?<key>"(?:[^"\\]|\\.)*"(?= {0,8}:))|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g
const sql =
  /(?<comment>--.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|(?<string>'(?:[^']|'')*'?)|(?<key>"[^"]*"?|`[^`]*`?)|(?<number>\b\d[\w.]*)|(?<keyword>\b(?:add|all|alter|and|any|as|asc|begin|between|by|case|check|column|commit|create|cross|default|delete|desc|distinct|drop|else|end|except|exists|false|from|full|group|having|if|ilike|in|index|inner|insert|intersect|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|over|primary|references|returning|right|rollback|select|set|table|then|true|union|unique|update|using|values|view|when|where|with)\b)/gi
const markup =
  /(?<comment><!--.*?(?:-->|$)|<[!?][^>]*>?)|(?<keyword><\/?[\p{L}_:][\p{L}\p{N}_:.-]*|\/?>)|(?<key>(?<=\s)[\p{L}_:@][\p{L}\p{N}_:.-]{0,100}(?==["']))|(?<string>(?<==)(?:"[^"]*"?|'[^']*'?))|(?<number>&[#\w]+;)/gu
const yaml =
  /(?<comment>(?<=^|\s)#.*)|(?<key>(?<=^[\s-]{0,100})(?:"[^"]{0,200}"|'[^']{0,200}'|[\w.$/@<][\w.$/@<-]{0,100})(?=\s{0,8}:(?:\s|$)))|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)|(?<keyword>(?<=[\s[,:-])(?:true|false|null|~)(?=\s|,|\]|$)|(?<=^|\s)[&*!][\w!-]+|^(?:---|\.\.\.)$)|(?<number>(?<=[\s[,])[-+]?\d[\w.+-]*(?=\s|,|\]|$))/g
const toml =
  /(?<comment>(?<=^|\s)#.*)|(?<keyword>^\s*\[.*\]|\b(?:true|false)\b)|(?<key>^\s*[\w."'-]+(?: *\. *[\w"'-]+)*(?=\s*=))|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<number>(?<=[\s=[,])[-+]?\d[\w.:+-]*)/g
const kinds: readonly TokenKind[] = ['key', 'string', 'number', 'keyword', 'comment']

/** A token, as a range of its line. */
export interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
}

/** Text beyond this is not coloured: thousands of elements in a row would make scrolling slow. */
export const colouredMax = 2_000

/** Finds the tokens of a line, which is counted from 0. */
export type LineColours = (line: string, number: number) => readonly Token[]

/** A tokeniser by an expression whose groups are the kinds of tokens. */
export function coloursBy(pattern: RegExp): LineColours {
  return (line) =>
    [...line.slice(0, colouredMax).matchAll(pattern)].flatMap(({ 0: found, index, groups = {} }) => {
      const kind = kinds.find((one) => groups[one] !== undefined)
      return kind === undefined ? [] : [{ kind, from: index, to: index + found.length }]
    })
}

const patterns: Readonly<Partial<Record<Kind, RegExp>>> = {
  json,
  ndjson: json,
  jwt: json,
  xml: markup,
  html: markup,
  sql,
  yaml,
  toml,
  // Nothing, so that nothing is loaded for it.
  text: /(?!)/g,
}

/** The tokeniser of a kind whose readers are loaded as well; `null` for what `kind-colours.ts` knows, or nobody. */
export function coloursAtOnce(kind: Kind): LineColours | null {
  const pattern = patterns[kind]
  return pattern === undefined ? null : coloursBy(pattern)
}
