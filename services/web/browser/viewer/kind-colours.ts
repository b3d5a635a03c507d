import { isLanguage, type Kind, type Language } from '../document/kinds/kind.js'
import { coloursBy, jsonColours, type LineColours } from './line-colours.js'

// Each line is tokenised by itself: rows start anywhere, and a line may have been cut.
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
  json: null,
  jsonc: commentedJson,
  json5: commentedJson,
  ndjson: null,
  jwt: null,
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

/** The kinds whose text is shown as JSON. */
const shownAsJson: ReadonlySet<Kind> = new Set(['json', 'ndjson', 'jwt'])

/** A tokeniser for texts of this kind; a programming language needs the whole text. */
export function lineColours(of: Kind): LineColours {
  if (shownAsJson.has(of)) return jsonColours
  const pattern = isLanguage(of) ? null : patterns[of]
  return pattern === null ? () => [] : coloursBy(pattern)
}

/** Parsers of programming languages need the whole text at once. */
const codeBytesMax = 1_048_576

/** The colours of a text of this kind. */
export async function coloursOf(
  kind: Kind,
  sizeBytes: number,
  source: () => Promise<string>,
): Promise<LineColours> {
  if (!isLanguage(kind) || sizeBytes > codeBytesMax) return lineColours(kind)
  const code = await import('./code-colours.js')
  return code.coloursOf(kind, await source())
}
