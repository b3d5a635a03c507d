import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { randomJson } from '../testing/random-documents.js'
import { runOnText } from '../testing/run-tool.js'
import { DuplicateKeys } from './duplicate-keys.js'
import { findJsonErrors } from './find-json-errors.js'
import { jsonMinify } from './json-minify.js'
import { jsonValidate } from './json-validate.js'

function mistakesOf(text: string): readonly string[] {
  const { errors } = findJsonErrors(new TextEncoder().encode(text), 1_000)
  return errors.map(({ offset, pointer }) => `${offset} ${pointer}`)
}

describe('warnings', () => {
  it.each([
    ['{"a":1,"a":2,"b":3,"a":4}', ['7 /a', '19 /a']],
    ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', []],
    ['{"x":{"\\u0061":1,"a":2}}', ['17 /x/a']],
    ['[{"":1,"":2}]', ['7 /0/']],
    ['{"a":1,"a":2,}', ['7 /a']],
    ['{"a":1,"\\q":2,"a":3}', ['14 /a']],
    ['{"a":{"b":1},"b":{"b":1,"b":2},"a":3}', ['24 /b/b', '31 /a']],
    ['{"a":[{"b":1],"a":2}', ['14 /a']],
    ['{"é":1,"\\u00e9":2,"\\ud800":3,"\\ud801":4,"\\ud800":5}', ['8 /é', '41 /\ud800']],
  ])('of %j name the keys that repeat', async (text, expected) => {
    const report: { warnings: { offset: number; pointer: string }[] } = JSON.parse(
      await runOnText(jsonValidate, text, { warn: true }),
    )
    expect(report.warnings.map(({ offset, pointer }) => `${offset} ${pointer}`)).toEqual(expected)
    expect(await runOnText(jsonValidate, text)).not.toContain('warnings')
  })

  it('are right among thousands of keys, in objects within objects', () => {
    const keys = Array.from({ length: 3_000 }, (_, at) => `"k${at}":1`)
    const inner = `{${keys.join()},"k7":2}`
    const text = `{${keys.join()},"in":${inner},"k2999":2,"k3000":3,"in":${inner}}`
    const bytes = new TextEncoder().encode(text)
    const duplicates = new DuplicateKeys(bytes, 1_000)
    expect(findJsonErrors(bytes, 1_000, { duplicates }).errors).toEqual([])
    expect(duplicates.found.map(({ pointer }) => pointer)).toEqual(['/in/k7', '/k2999', '/in', '/in/k7'])
    expect([duplicates.truncated, duplicates.size]).toEqual([false, 0])
  })

  it('forget the keys of objects that are closed', () => {
    const bytes = new TextEncoder().encode(`[${'{"a":1,"b":{"c":2}},'.repeat(1_000)}{"a":1,"b":{"c":`)
    const duplicates = new DuplicateKeys(bytes, 1_000)
    findJsonErrors(bytes, 1_000, { duplicates })
    expect([duplicates.found, duplicates.size]).toEqual([[], 3])
  })

  it.each([
    ['{"a":1,"a":2,"a":3}', false],
    ['{"a":1,"a":2,"a":3,"a":4}', true],
  ])('of %j that are too many are counted as such: %j', async (text, truncated) => {
    const report = JSON.parse(await runOnText(jsonValidate, text, { warn: true, errors_max: 2 }))
    expect([report.valid, report.warnings.length, report.truncated]).toEqual([true, 2, truncated])
  })
})

describe('looking for mistakes in JSON', () => {
  it.each([
    ['{"a":[1,2,{"b":null}]}', []],
    ['{"a":1,}', ['7 ']],
    ['[1,2,]', ['5 /2']],
    ['[1 2 3]', ['3 /0', '5 /1']],
    ['{"a" 1, "b": tru, "c": [1,, 2]}', ['5 /a', '16 /b', '26 /c/1']],
    ["{'a': 'x', b: undefined}", ['1 ', '6 ', '11 ', '14 ']],
    ['{"a": "x,\n"b": 1}', ['9 /a', '10 /a']],
    ['["\\x", "\\u12", "\t"]', ['3 /0', '12 /1', '16 /2']],
    ['[01, 1., .5, +1, 1e, NaN]', ['2 /0', '7 /1', '9 /2', '13 /3', '19 /4', '21 /5']],
    ['{"a": [1, 2}', ['11 /a/1']],
    ['{"a": 1]', ['7 /a']],
    ['{"a": 1', ['7 /a']],
    ['[1] [2]', ['4 ']],
    ['// note\n{"a": /* one */ 1}', ['0 ', '14 /a']],
    ['\ufeff[]', ['0 ']],
    ['', ['0 ']],
    ['"open', ['5 ']],
    ['{"a":{"b":[{"c":x}]}}', ['16 /a/b/0/c']],
  ])('finds each of those in %j', (text, expected) => expect(mistakesOf(text)).toEqual(expected))

  it('points to what is around an endless key, so that the report stays small', () => {
    const key = 'k'.repeat(5_000)
    expect(mistakesOf(`{"a":{"${key}":[x]}}`)).toEqual(['5010 /a'])
    expect(mistakesOf(`{"${key.slice(0, 4_000)}":[x]}`)).toEqual([`4005 /${key.slice(0, 4_000)}/0`])
  })

  it.each([
    ['// a\n{"a":1}', 1],
    ['{"a":1 /* b */, "c":2}', 1],
    ['{"a":1}\n// end', 1],
    ['["// no",1]', 0],
    ['[1 / 2]', 0],
    ['["a\\/"//', 1],
  ])('names the option that takes comments where there is one: %j', async (text, named) => {
    const said = findJsonErrors(new TextEncoder().encode(text), 1_000).errors.filter(({ message }) =>
      message.includes('Comments are allowed with comments=allow.'),
    )
    expect(said).toHaveLength(named)
    const allowed = findJsonErrors(new TextEncoder().encode(text), 1_000, { hasComments: true })
    expect(JSON.stringify(allowed)).not.toContain('comments=allow')
  })

  it('stops at the number wanted', () => {
    const bytes = new TextEncoder().encode('[x,x,x,x]')
    expect(findJsonErrors(bytes, 2)).toMatchObject({
      errors: [{ offset: 1 }, { offset: 3 }],
      truncated: true,
    })
    expect(findJsonErrors(bytes, 4)).toMatchObject({ truncated: false })
  })

  it('finds the first mistake where the other tools stop, and none where they find none', async () => {
    const random = seededRandom(1)
    for (let round = 0; round < 2_000; round += 1) {
      const text = randomJson(random)
      const at = random.below(text.length)
      const changed =
        text.slice(0, at) + random.pick(['', '"', ',', '}', ']', '\\', 'x', '0', '\n']) + text.slice(at + 1)
      const first = await runOnText(jsonMinify, changed).then(
        () => null,
        (error: { position: { offset: number } }) => error.position.offset,
      )
      const [mistake] = findJsonErrors(new TextEncoder().encode(changed), 1).errors
      expect(mistake?.offset ?? null, changed).toBe(first)
    }
  })
})
