import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { compilePattern, patternOf } from './path-pattern.js'
import { createPatternRoom } from './simulate-pattern.js'

const whole = (pattern: string, text: string): boolean | null => patternOf(pattern)?.test(text, true) ?? null
const part = (pattern: string, text: string): boolean | null => patternOf(pattern)?.test(text, false) ?? null

describe('a pattern of RFC 9485', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['a|b', 'b', true],
    ['a|b', 'ab', false],
    ['(ab)*', 'abab', true],
    ['(ab)+', '', false],
    ['a?b{2}', 'abb', true],
    ['a{2,}', 'a', false],
    ['a{2,3}', 'aaaa', false],
    ['a{0}', '', true],
    ['(){5}', '', true],
    ['(a*)*', 'aaa', true],
    ['.', '\u2028', true],
    ['.', '\n', false],
    ['.', '😀', true],
    ['[a-cx]+', 'abcx', true],
    ['[^a-c]', 'b', false],
    ['[-a]', '-', true],
    ['[a-]', '-', true],
    ['[\\-\\]]+', '-]', true],
    ['[\\p{Lu}0-9]+', 'A1', true],
    ['\\P{L}', 'a', false],
    ['\\p{Nd}{4}', '2026', true],
    ['\\n\\.\\\\', '\n.\\', true],
    ['^a$', 'a', true],
    ['a^b', 'ab', false],
    ['(^|b)a', 'a', true],
    ['\\^a[$]', '^a$', true],
    ['[😀-😂]', '😁', true],
    ['中{3}', '中中中', true],
  ])('%j takes %j: %s', (pattern, text, expected) => {
    expect(whole(pattern, text)).toBe(expected)
  })

  it.each([
    ['b', 'abc', true],
    ['b.d', 'abcde', true],
    ['x', 'abc', false],
    ['^b', 'abc', false],
    ['b$', 'abc', false],
    ['c$', 'abc', true],
    ['^a', 'abc', true],
    ['c', 'abc', true],
    ['', 'abc', true],
  ])('%j is in %j: %s', (pattern, text, expected) => {
    expect(part(pattern, text)).toBe(expected)
  })

  it.each([
    '(?=a)',
    '(?:a)',
    '(?<n>a)',
    '(a)\\1',
    '\\d',
    '\\w',
    '\\b',
    'a*?',
    'a**',
    '(',
    ')',
    '[',
    ']',
    '[]',
    '[^]',
    'a{',
    'a{,2}',
    'a{2,1}',
    '\\',
    '\\p{X}',
    '\\p{Script=Latin}',
    '[b-a]',
    '[a-b-c]',
    '+',
    '{',
    '}',
    '\\u0061',
  ])('%j is none', (pattern) => {
    expect(patternOf(pattern)).toBeNull()
  })

  it.each(['a'.repeat(1_001), 'a{2001}', '((a{50}){50}){50}', 'a{0,999999999}'])(
    'with too many states is refused',
    (pattern) => {
      expect(() => patternOf(pattern)).toThrow(expect.objectContaining({ code: 'pattern_too_large' }))
    },
  )

  it.each([
    '(a+)+b',
    '(a|a)*b',
    '(a|aa)+b',
    '(a*)*b',
    '(.*)*b',
    '((a?){20}){20}b',
    '(((a+)+)+)+b',
    '(){999999999}b',
  ])('%j takes steps in proportion to the text, also where it fails', (pattern) => {
    // A backtracking engine would take 2^20,000 steps.
    expect(part(pattern, 'a'.repeat(20_000))).toBe(false)
  })
})

function randomPattern(random: Random, depth: number): string {
  const piece = (): string => {
    const kind = random.below(depth > 0 ? 8 : 5)
    if (kind < 5) return random.pick(['a', 'b', 'é', '😀', '.', '[ab]', '[^a]', '\\b', '\\B'])
    return `(${randomPattern(random, depth - 1)}|${randomPattern(random, depth - 1)})`
  }
  const pieces = Array.from({ length: 1 + random.below(3) }, () => {
    const one = piece()
    return one.startsWith('\\') ? one : `${one}${random.pick(['', '', '*', '+', '?', '{1,2}'])}`
  })
  return `${random.pick(['', '', '^'])}${pieces.join('')}${random.pick(['', '', '$'])}`
}

const randomText = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick(['a', 'a', 'b', 'b', 'é', '😀', ' '])).join('')

describe('patterns that share their room', () => {
  // 2^12 sets of states.
  const costly = '^(a|b)*a(a|b){11}$'
  const text = (seed: number): string => randomText(seededRandom(seed), 300).replace(/[^ab]/g, 'a')

  it('match what each would match alone, also when it is full', () => {
    const room = createPatternRoom()
    const sets = room.setsLeft
    const shared = Array.from({ length: 40 }, () => compilePattern(costly, 'ecmascript', room))
    const alone = compilePattern(costly, 'ecmascript')
    for (const [at, pattern] of shared.entries())
      for (let seed = 0; seed < 5; seed += 1) {
        const some = text(at * 5 + seed)
        expect(pattern.test(some, false), some).toBe(alone.test(some, false))
      }
    expect([sets, room.setsLeft]).toEqual([4_096, 0])
    const late = compilePattern('^x\\d+$', 'ecmascript', room)
    expect(['x1', 'x', '', 'y1', 'x12345'].map((one) => late.test(one, false))).toEqual([
      ...[true, false, false, false, true],
    ])
  })
})

describe('a pattern of ECMAScript', () => {
  it('matches what a backtracking engine matches, from text to text', () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const random = seededRandom(seed)
      const spelled = randomPattern(random, 2)
      const [pattern, expected] = [compilePattern(spelled, 'ecmascript'), new RegExp(spelled, 'u')]
      const isWhole = new RegExp(`^(?:${spelled})$`, 'u')
      for (let count = 0; count < 20; count += 1) {
        const text = randomText(random, random.below(9))
        const shown = `seed ${seed}: ${spelled} in ${JSON.stringify(text)}`
        expect(pattern.test(text, false), shown).toBe(expected.test(text))
        expect(pattern.test(text, true), shown).toBe(isWhole.test(text))
      }
    }
  })

  it('matches the same where it has more sets of states than are kept', () => {
    const spelled = '^(a|b)*a(a|b){11}$'
    const [pattern, expected] = [compilePattern(spelled, 'ecmascript'), new RegExp(spelled)]
    const random = seededRandom(1)
    for (let count = 0; count < 200; count += 1) {
      const text = Array.from({ length: 60 }, () => random.pick(['a', 'b'])).join('')
      expect(pattern.test(text, false), text).toBe(expected.test(text))
    }
  })

  it('takes the same steps whether its texts are known or not', () => {
    const pattern = compilePattern('[a-z]+@[a-z.]+', 'ecmascript')
    const stepsOf = (text: string): number => {
      let all = 0
      pattern.test(text, false, (steps) => {
        all += steps
      })
      return all
    }
    const first = stepsOf('someone at mail.example')
    expect(first).toBeGreaterThan(20)
    expect(stepsOf('someone at mail.example')).toBe(first)
  })
})
