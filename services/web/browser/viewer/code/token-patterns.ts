import type { TextLanguage } from './text-language.js'

/** What a piece of text is, which decides its colour. */
export type TokenKind = 'key' | 'string' | 'number' | 'keyword' | 'comment'

// Each line stands for itself: a part may begin anywhere, and a line may have been cut anywhere.
const json =
  /(?<key>"(?:[^"\\]|\\.)*"(?= {0,8}:))|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g
const sql =
  /(?<comment>--.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|(?<string>'(?:[^']|'')*'?)|(?<key>"[^"]*"?|`[^`]*`?)|(?<number>\b\d[\w.]*)|(?<keyword>\b(?:add|all|alter|and|any|as|asc|begin|between|by|case|cascade|check|column|commit|constraint|create|cross|default|delete|desc|distinct|drop|else|end|except|exists|false|foreign|from|full|function|grant|group|having|if|ilike|in|index|inner|insert|intersect|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|over|partition|primary|references|returning|returns|revoke|right|rollback|select|set|table|then|true|truncate|union|unique|update|using|values|view|when|where|with)\b)/gi

/** The expression that finds the tokens of a language, each in the group of its kind; `null` for plain text. */
export function tokenPattern(language: TextLanguage): RegExp | null {
  switch (language) {
    case 'json':
      return json
    case 'sql':
      return sql
    case 'plain':
      return null
    default:
      return language satisfies never
  }
}

const kinds: readonly TokenKind[] = ['key', 'string', 'number', 'keyword', 'comment']

/** What a match of such an expression is. */
export function tokenKind({ groups = {} }: RegExpMatchArray): TokenKind | null {
  return kinds.find((kind) => groups[kind] !== undefined) ?? null
}
