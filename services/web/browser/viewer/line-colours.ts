import { isLanguage, type Kind, type Language } from '../document/kinds/kind.js'

/** The class of a token, which decides its colour. */
export type TokenKind = 'key' | 'string' | 'number' | 'keyword' | 'comment'

// Each line is tokenised by itself: rows start anywhere, and a line may have been cut.
const json =
  /(?<key>"(?:[^"\\]|\\.)*"(?= {0,8}:))|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g
const commentedJson =
  /(?<comment>\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|^\s*\*(?:\s.*|\/)?$)|(?<key>(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]{1,200})(?=\s{0,8}:))|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(?<number>[-+]?\.?\d[\w.+-]*)|(?<keyword>\b(?:true|false|null|Infinity|NaN)\b)/g
const sql =
  /(?<comment>--.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|(?<string>'(?:[^']|'')*'?)|(?<key>"[^"]*"?|`[^`]*`?)|(?<number>\b\d[\w.]*)|(?<keyword>\b(?:add|all|alter|and|any|as|asc|begin|between|by|case|cascade|check|column|commit|constraint|create|cross|default|delete|desc|distinct|drop|else|end|except|exists|false|foreign|from|full|function|grant|group|having|if|ilike|in|index|inner|insert|intersect|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|over|partition|primary|references|returning|returns|revoke|right|rollback|select|set|table|then|true|truncate|union|unique|update|using|values|view|when|where|with)\b)/gi

const markup =
  /(?<comment><!--.*?(?:-->|$)|<[!?][^>]*>?)|(?<keyword><\/?[\p{L}_:][\p{L}\p{N}_:.-]*|\/?>)|(?<key>(?<=\s)[\p{L}_:@][\p{L}\p{N}_:.-]{0,100}(?==["']))|(?<string>(?<==)(?:"[^"]*"?|'[^']*'?))|(?<number>&[#\w]+;)/gu
const yaml =
  /(?<comment>(?<=^|\s)#.*)|(?<key>(?<=^[\s-]{0,100})(?:"[^"]{0,200}"|'[^']{0,200}'|[\w.$/@<][\w.$/@<-]{0,100})(?=\s{0,8}:(?:\s|$)))|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)|(?<keyword>(?<=[\s[,:-])(?:true|false|null|~)(?=\s|,|\]|$)|(?<=^|\s)[&*!][\w!-]+|^(?:---|\.\.\.)$)|(?<number>(?<=[\s[,])[-+]?\d[\w.+-]*(?=\s|,|\]|$))/g
const toml =
  /(?<comment>(?<=^|\s)#.*)|(?<keyword>^\s*\[.*\]|\b(?:true|false)\b)|(?<key>^\s*[\w."'-]+(?: *\. *[\w"'-]+)*(?=\s*=))|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<number>(?<=[\s=[,])[-+]?\d[\w.:+-]*)/g
const markdown =
  /(?<keyword>^#{1,6} .*)|(?<comment>^>.*|^(?:```|~~~).*)|(?<string>`[^`]+`)|(?<key>\[[^\]]*\]\([^)]*\))|(?<number>^\s*(?:[-*+]|\d+[.)]) )/g
const patch =
  /(?<comment>^(?:diff |index |--- |\+\+\+ ).*)|(?<keyword>^@@.*)|(?<string>^\+.*)|(?<number>^-.*)/g

const patterns: Readonly<Record<Exclude<Kind, Language>, RegExp | null>> = {
  json,
  jsonc: commentedJson,
  json5: commentedJson,
  ndjson: json,
  jwt: json,
  xml: markup,
  html: markup,
  sql,
  yaml,
  toml,
  markdown,
  patch,
  csv: null,
  image: null,
  diff: null,
  text: null,
}

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

/** A tokeniser for texts of this kind; a programming language needs the whole text (`codeColours`). */
export function lineColours(of: Kind): LineColours {
  const pattern = isLanguage(of) ? null : patterns[of]
  if (pattern === null) return () => []
  return (line) =>
    [...line.slice(0, colouredMax).matchAll(pattern)].flatMap(({ 0: found, index, groups = {} }) => {
      const kind = kinds.find((one) => groups[one] !== undefined)
      return kind === undefined ? [] : [{ kind, from: index, to: index + found.length }]
    })
}
