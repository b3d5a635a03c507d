import type { SqlLanguage } from './sql-language.js'
import { type SqlToken, tokensOf } from './sql-tokens.js'

/** SQL in which names stand for what a formatter must not see. */
export interface CoveredSql {
  /** As long as the original. */
  readonly text: string
  /** The original texts in a formatted text; `null` if a name got lost. */
  restore(formatted: string): string | null
}

/** Whether a token is to come out byte for byte. */
function isKept({ kind, text }: SqlToken): boolean {
  // A tag in a string may have quotes, which the library would take for its end.
  return kind === 'parameter' || kind === 'tag' || (kind === 'string' && /\{[{%#]/.test(text))
}

/** The ranges that must stay as they are: those tokens, literals that the end of a line joins, ranges as in PL/SQL. */
function keptRanges(
  text: string,
  tokens: readonly SqlToken[],
): readonly (readonly [start: number, end: number])[] {
  const ranges: [number, number][] = []
  let last: SqlToken | null = null
  const keepFrom = (start: number, end: number): void => {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] >= start) range[1] = end
    else ranges.push([start, end])
  }
  for (const [index, token] of tokens.entries()) {
    const end = token.index + token.text.length
    const between = last === null ? '' : text.slice(last.index + last.text.length, token.index)
    const joins = token.kind === 'string' && last?.kind === 'string' && between.includes('\n')
    const next = tokens[index + 1]
    if (joins && last !== null) keepFrom(last.index, end)
    else if (token.text === '..' && last !== null && next !== undefined)
      keepFrom(last.index, next.index + next.text.length)
    else if (isKept(token)) ranges.push([token.index, end])
    last = token
  }
  return ranges
}

/** Two letters that the text does not have. */
function freeLetters(text: string): readonly [string, string] {
  const free: string[] = []
  // Letters of Hangul are part of names in every dialect.
  for (let code = 0xac00; free.length < 2; code += 1)
    if (!text.includes(String.fromCharCode(code))) free.push(String.fromCharCode(code))
  return [free[0] ?? '', free[1] ?? '']
}

/** Covers what a formatter would tear apart or not know with names of the same length. */
export function coverKept(text: string, tokens: readonly SqlToken[]): CoveredSql {
  const ranges = keptRanges(text, tokens)
  if (ranges.length === 0) return { text, restore: (formatted) => formatted }
  const letters = freeLetters(text)
  const pieces: string[] = []
  let at = 0
  for (const [index, [start, end]] of ranges.entries()) {
    // Letters in turn, so that neighbors stay apart.
    pieces.push(text.slice(at, start), (letters[index % 2] ?? '').repeat(end - start))
    at = end
  }
  pieces.push(text.slice(at))
  const cover = new RegExp(`${letters[0]}+|${letters[1]}+`, 'g')
  return {
    text: pieces.join(''),
    restore(formatted) {
      let [found, isWhole] = [0, true]
      const restored = formatted.replace(cover, (name) => {
        const [start, end] = ranges[found++] ?? [0, 0]
        isWhole &&= end - start === name.length
        return text.slice(start, end)
      })
      return isWhole && found === ranges.length ? restored : null
    },
  }
}

/**
 * Ends the line after each tag that ended one before: what a template engine puts there may end with a comment.
 * @param formatted of the same tokens as `text`.
 */
export function keepLinesOfTags(
  text: string,
  tokens: readonly SqlToken[],
  formatted: string,
  language: SqlLanguage,
): string {
  if (!tokens.some(({ kind }) => kind === 'tag')) return formatted
  const made = [...tokensOf(formatted, language)]
  const pieces: string[] = []
  let at = 0
  for (const [index, token] of tokens.entries()) {
    const [next, other, otherNext] = [tokens[index + 1], made[index], made[index + 1]]
    if (token.kind !== 'tag' || next === undefined || other === undefined || otherNext === undefined) continue
    const endsLine = text.slice(token.index + token.text.length, next.index).includes('\n')
    const end = other.index + other.text.length
    if (!endsLine || formatted.slice(end, otherNext.index).includes('\n')) continue
    const indent = /^[ \t]*/.exec(formatted.slice(formatted.lastIndexOf('\n', other.index) + 1))?.[0] ?? ''
    pieces.push(formatted.slice(at, end), `\n${indent}`)
    at = otherNext.index
  }
  return pieces.join('') + formatted.slice(at)
}
