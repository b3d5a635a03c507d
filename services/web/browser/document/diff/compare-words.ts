import { createAligner } from '#engine/compare/align.js'
import { walkRuns } from '#engine/compare/walk-runs.js'
import type { DiffSide } from '../document-reader.js'

type Pieces = DiffSide['pieces']

/** Longer lines are not compared by words. */
const lengthMax = 2_000

const word = /\s+|[\p{L}\p{M}\p{N}_]+|[\s\S]/gu

/**
 * Splits two lines into pieces and marks what the other line lacks; marks nothing when hardly a word is equal.
 */
export function compareWords(left: string, right: string): readonly [Pieces, Pieces] {
  const whole = (text: string): Pieces => [{ text, isChanged: false }]
  if (left.length > lengthMax || right.length > lengthMax) return [whole(left), whole(right)]
  const [words, newWords] = [left.match(word) ?? [], right.match(word) ?? []]
  const ids = new Map([...words, ...newWords].map((text, id) => [text, id]))
  const numbered = (texts: readonly string[]): Uint32Array =>
    Uint32Array.from(texts, (text) => ids.get(text) ?? 0)
  const pieces: { text: string; isChanged: boolean }[] = []
  const newPieces: typeof pieces = []
  const put = (
    to: typeof pieces,
    from: readonly string[],
    start: number,
    end: number,
    isChanged: boolean,
  ) => {
    const last = to.at(-1)
    const text = from.slice(start, end).join('')
    if (last?.isChanged === isChanged) last.text += text
    else to.push({ text, isChanged })
  }
  let kept = 0
  walkRuns(createAligner().align(numbered(words), numbered(newWords)), words.length, newWords.length, {
    same(at, newAt, length) {
      put(pieces, words, at, at + length, false)
      put(newPieces, newWords, newAt, newAt + length, false)
      kept += words
        .slice(at, at + length)
        .join('')
        .trim().length
    },
    remove: (at) => put(pieces, words, at, at + 1, true),
    add: (_at, newAt) => put(newPieces, newWords, newAt, newAt + 1, true),
  })
  if (kept * 5 < Math.min(left.trim().length, right.trim().length)) return [whole(left), whole(right)]
  return [pieces, newPieces]
}
