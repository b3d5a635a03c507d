/** The class of a token, which decides its colour. */
export type TokenKind = 'key' | 'string' | 'number' | 'keyword' | 'comment'

// Each line is tokenised by itself: rows start anywhere, and a line may have been cut.
const json =
  /(?<key>"(?:[^"\\]|\\.)*"(?= {0,8}:))|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g
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

/** JSON, which most texts are; the other kinds are in `kind-colours.ts`, loaded when needed. */
export const jsonColours: LineColours = coloursBy(json)
