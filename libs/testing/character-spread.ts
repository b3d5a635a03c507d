/** The digits and letters of ASCII. */
export const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** What so many texts of one length have in common. */
export interface CharacterSpread {
  readonly different: number
  /** Of each place, how far its characters are from being equally frequent: the chi-squared statistic. */
  readonly chiSquares: readonly number[]
}

/** Makes `many` texts and looks how evenly the letters of ASCII and the digits stand at each place of them. */
export function characterSpread(many: number, make: () => string): CharacterSpread {
  const seen = new Set<string>()
  const { length } = make()
  // One row of all codes of ASCII for each place.
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
