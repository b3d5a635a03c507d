/** The digits and letters of ASCII. */
export const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Statistics of many texts of the same length. */
export interface CharacterSpread {
  readonly different: number
  /** For each position, how far its characters are from being equally frequent: the chi-squared statistic. */
  readonly chiSquares: readonly number[]
}

/** Generates `many` texts and measures how evenly letters and digits are distributed at each position. */
export function characterSpread(many: number, make: () => string): CharacterSpread {
  const seen = new Set<string>()
  const { length } = make()
  // For each position, a row with a count per ASCII code.
  const counts = new Uint32Array(length * 128)
  for (let made = 0; made < many; made += 1) {
    const text = make()
    seen.add(text)
    for (let index = 0; index < length; index += 1) {
      const cell = index * 128 + text.charCodeAt(index)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }
  const expected = many / lettersAndDigits.length
  const chiSquares = Array.from({ length }, (_, index) =>
    [...lettersAndDigits].reduce(
      (sum, character) =>
        sum + ((counts[index * 128 + character.charCodeAt(0)] ?? 0) - expected) ** 2 / expected,
      0,
    ),
  )
  return { different: seen.size, chiSquares }
}
