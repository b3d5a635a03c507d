import { countWhile, lastAtMost } from '#engine/count-while.js'
import { textBetween } from '#engine/json-bytes/json-bytes.js'
import type { TextMatch, TextPosition, Wanted } from '../document-reader.js'
import type { LinedText } from './index-lines.js'
import { type MatchesAround, nextMatch } from './next-match.js'
import { wantedPattern } from './wanted-pattern.js'

/** All matches in order. */
interface Matches {
  readonly lines: readonly number[]
  readonly columns: readonly number[]
  readonly lengths: readonly number[]
}

/** Further matches are neither counted nor reachable. */
const matchesMax = 1_000_000

/** The text is decoded and searched in chunks of whole lines of about this many bytes. */
const pieceBytes = 1_048_576

const lineBreak = /\r\n|[\n\r\u2028\u2029]/g

interface FoundMatches {
  readonly lines: number[]
  readonly columns: number[]
  readonly lengths: number[]
}

/** Finds all matches in a chunk whose first line has this index. */
function searchPiece(piece: string, firstLine: number, pattern: RegExp, found: FoundMatches): void {
  let line = firstLine
  let lineStart = 0
  let nextBreak: RegExpExecArray | null | undefined
  for (const match of piece.matchAll(pattern)) {
    if (nextBreak === undefined) {
      lineBreak.lastIndex = 0
      nextBreak = lineBreak.exec(piece)
    }
    while (nextBreak !== null && nextBreak.index < match.index) {
      line += 1
      lineStart = nextBreak.index + nextBreak[0].length
      nextBreak = lineBreak.exec(piece)
    }
    found.lines.push(line)
    found.columns.push(match.index - lineStart)
    found.lengths.push(match[0].length)
    if (found.lines.length === matchesMax) return
  }
}

function allMatches({ bytes, starts }: LinedText, pattern: RegExp): Matches {
  const found: FoundMatches = { lines: [], columns: [], lengths: [] }
  for (let line = 0; line < starts.length && found.lines.length < matchesMax; ) {
    const start = starts[line] ?? 0
    const after = Math.max(line + 1, lastAtMost(starts, start + pieceBytes))
    searchPiece(textBetween(bytes, start, starts[after] ?? bytes.length), line, pattern, found)
    line = after
  }
  return found
}

function isBefore(matches: Matches, place: number, { line, column }: TextPosition): boolean {
  const at = matches.lines[place] ?? 0
  return at < line || (at === line && (matches.columns[place] ?? 0) < column)
}

function around(matches: Matches, { line, column }: TextPosition): MatchesAround {
  const countBefore = (column: number): number =>
    countWhile(matches.lines.length, (place) => isBefore(matches, place, { line, column }))
  return { before: countBefore(column), through: countBefore(column + 1) }
}

/** Searches one text. The last result is cached, so that moving between matches is free. */
export function textSearch(text: LinedText): (wanted: Wanted, from: TextPosition | null) => TextMatch | null {
  let kept: { readonly key: string; readonly matches: Matches } | null = null
  return (wanted, from) => {
    const { text: wantedText, caseSensitive } = wanted
    if (wantedText === '') return null
    const key = `${caseSensitive} ${wantedText}`
    if (kept?.key !== key) kept = { key, matches: allMatches(text, wantedPattern(wantedText, caseSensitive)) }
    const { matches } = kept
    const total = matches.lines.length
    if (total === 0) return null
    const index = nextMatch(total, wanted, from === null ? null : around(matches, from))
    return {
      line: matches.lines[index] ?? 0,
      column: matches.columns[index] ?? 0,
      length: matches.lengths[index] ?? 0,
      index,
      total,
    }
  }
}
