import { createAligner } from '../align.js'

/** A piece of a line, and whether the other line lacks it. */
export interface WordPiece {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer lines are not compared by words. */
const lengthMax = 10_000

/** A number for each different word, so that words compare as fast as numbers. */
function numbered(words: readonly string[], numbers: Map<string, number>): Uint32Array {
  return Uint32Array.from(words, (word) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  })
}

/** Words, white space and other characters. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

/** The words in pieces: those that are the same on both sides, and those between them. */
function piecesOf(words: readonly string[], runs: Int32Array, side: 0 | 1): readonly WordPiece[] {
  const pieces: WordPiece[] = []
  const add = (from: number, to: number, isChanged: boolean): void => {
    if (from < to) pieces.push({ text: words.slice(from, to).join(''), isChanged })
  }
  let at = 0
  for (let run = 0; run < runs.length; run += 3) {
    const start = runs[run + side] ?? 0
    const end = start + (runs[run + 2] ?? 0)
    add(at, start, true)
    add(start, end, false)
    at = end
  }
  add(at, words.length, true)
  return pieces
}

/** Which words of two lines differ. Lines that are too long, or have no word in common, are one changed piece each. */
export function changedWords(
  from: string,
  to: string,
): readonly [readonly WordPiece[], readonly WordPiece[]] {
  const whole = (text: string): readonly WordPiece[] => (text === '' ? [] : [{ text, isChanged: true }])
  if (from.length > lengthMax || to.length > lengthMax) return [whole(from), whole(to)]
  const numbers = new Map<string, number>()
  const [words, newWords] = [wordsOf(from), wordsOf(to)]
  const runs = createAligner().align(numbered(words, numbers), numbered(newWords, numbers))
  const [pieces, newPieces] = [piecesOf(words, runs, 0), piecesOf(newWords, runs, 1)]
  const hasCommonWord = pieces.some(({ text, isChanged }) => !isChanged && text.trim() !== '')
  return hasCommonWord ? [pieces, newPieces] : [whole(from), whole(to)]
}
