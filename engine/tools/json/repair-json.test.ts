import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { randomJson } from '../testing/random-documents.js'
import { runOnText } from '../testing/run-tool.js'
import { runWithNotes } from '../testing/run-with-notes.js'
import { ToolInputError } from '../tool-input-error.js'
import { jsonMinify } from './json-minify.js'
import { jsonRepair } from './json-repair.js'

describe('repairing JSON', () => {
  it('leaves valid JSON as it is, byte for byte', async () => {
    const random = seededRandom(1)
    for (let round = 0; round < 500; round += 1) {
      const text = randomJson(random)
      expect(await runOnText(jsonRepair, text)).toBe(text)
    }
  })

  it('makes valid JSON of damaged JSON, or says that it cannot', async () => {
    const random = seededRandom(2)
    for (let round = 0; round < 1_000; round += 1) {
      const text = randomJson(random)
      const at = random.below(text.length)
      const changed =
        text.slice(0, at) + random.pick(['', '"', ',', '}', ']', '\\', 'x', '0', '\n']) + text.slice(at + 1)
      const made = await runOnText(jsonRepair, changed).catch((error: unknown) => error)
      if (typeof made === 'string') await runOnText(jsonMinify, made)
      else expect(made).toBeInstanceOf(ToolInputError)
    }
  })

  it('keeps the digits of numbers where it repairs something else', async () => {
    expect(await runOnText(jsonRepair, '[12345678901234567890, 1.50, 1e400,')).toBe(
      '[12345678901234567890, 1.50, 1e400]',
    )
  })

  it('takes valid JSON of any size, and repairs as much as fits into the memory of a run', async () => {
    const long = `["${'x'.repeat(2_200_000)}"]`
    expect(await runOnText(jsonRepair, `\ufeff${long}`)).toBe(long)
    await expect(runOnText(jsonRepair, `${long},`)).rejects.toMatchObject({ code: 'input_too_large' })
  })

  it('says where nothing can be repaired', async () => {
    await expect(runOnText(jsonRepair, '')).rejects.toMatchObject({ code: 'not_repairable' })
    await expect(runOnText(jsonRepair, '['.repeat(100_000))).rejects.toMatchObject({ name: 'ToolInputError' })
  })

  it.each([
    // Backslashes that begin no escape.
    ['{"file":"C:\\temp\\new\\Users\\x.txt"}', 1, 21],
    ['{"re":"\\d+\\.\\w"}', 1, 8],
    ["['\\x41']", 1, 3],
    ['{"a":"\\u12","b":1,}', 1, 7],
    ['{"a":1,\n"p":"\\\\srv\\share"}', 2, 11],
    ['["a\\\nb"]', 1, 4],
    // Another nesting.
    ['[1,2,,3]', 1, 5],
    ['[{"a":1},,{"b":2}]', 1, 9],
    ['[[1,,2],3]', 1, 4],
    ['{"a":[1,2,"b":3}', 1, 14],
    ['{"a":[1}, "b":2}', 1, 14],
    ['[1,2],,3', 1, 7],
    // Other texts.
    ['{"a": tru', 1, 7],
    ['["a\n "b"]', 1, 2],
    ['{\\"a\\": \\"b\\"}', 1, 2],
    ['{"text": "He said "hi", then left"}', 1, 35],
    ['{"a":&quot;x&quot;}', 1, 6],
  ])('%j is refused', async (text, line, column) => {
    const failure: unknown = await runOnText(jsonRepair, text).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: expect.stringMatching(/^(repair_unsure|not_repairable)$/),
      position: { line, column },
    })
  })

  it.each([
    ["{'a':True,}", '{"a":true}', ['Quotes replaced: 1', 'Words replaced: 1', 'Commas removed: 1']],
    [
      '{"translatedText":"I am testing, one, two, thr',
      '{"translatedText":"I am testing, one, two, thr"}',
      ['Texts closed: 1', 'Brackets closed: 1'],
    ],
    ['// why\n[1, /* two */ 2,]', '\n[1,  2]', ['Comments removed: 2', 'Commas removed: 1']],
    ['[1 2 3]', '[1, 2, 3]', ['Commas added: 2']],
    ['{"a" 1\n"b":2}', '{"a": 1,\n"b":2}', ['Colons added: 1', 'Commas added: 1']],
    ['{a:hello world}', '{"a":"hello world"}', ['Texts quoted: 2']],
    ['{"a":"x\ny\t"}', '{"a":"x\\ny\\t"}', ['Control characters escaped: 2']],
    ['{"a":"x "y" z"}', '{"a":"x \\"y\\" z"}', ['Quotes in texts escaped: 2']],
    ['{"a":[1,2}', '{"a":[1,2]}', ['Brackets closed: 1']],
    ['{"a":1}}', '{"a":1}', ['Brackets removed: 1']],
    [
      '{"a":1}\n{"b":2}',
      '[\n{"a":1},\n{"b":2}\n]',
      ['Values put into an array: 1', 'Commas added: 1', 'Brackets closed: 1'],
    ],
    ['[1]\n[2]', '[\n[1],\n[2]\n]', ['Values put into an array: 1', 'Commas added: 1', 'Brackets closed: 1']],
    ['callback({"a":1});', '{"a":1}', ['Calls unwrapped: 2']],
    ['["a" + "b"]', '["ab"]', ['Texts joined: 1']],
    ['{"a":,"b":1}', '{"a":null,"b":1}', ['Missing values made null: 1']],
    ["{'a':'it\\'s \\u00e9'}", '{"a":"it\'s \\u00e9"}', ['Quotes replaced: 2', 'Escapes respelled: 1']],
    ['[1, 2.', '[1, 2.0]', ['Numbers respelled: 1', 'Brackets closed: 1']],
    ['[1]', '[1]', []],
  ])('%j is repaired, and it says what was changed', async (text, json, changes) => {
    const { output, notes } = await runWithNotes(jsonRepair, text)
    expect(output).toBe(json)
    expect(notes.map((note) => note.replace(/^\d+:\d+ |, in line.*$/g, '')).sort()).toEqual(
      [...changes].sort(),
    )
  })

  it('names the lines of its changes, up to ten of a kind', async () => {
    const { notes } = await runWithNotes(jsonRepair, `[\n${'1\n'.repeat(30)}]`)
    expect(notes).toEqual(['3:1 Commas added: 29, in line 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and others.'])
  })

  it.each([
    ['{"file":"C:\\temp\\new\\Users\\x.txt"}', 'C:\\temp\\new\\Users\\x.txt'],
    ['{"file":"\\d+\\.\\w"}', '\\d+\\.\\w'],
    ['{"file":"a\\"b\\d\\\\"}', 'a"b\\d\\'],
    ['{"file":"\\\\srv\\share"}', '\\srv\\share'],
    ['{"file":"one\\ntwo",}', 'one\ntwo'],
    ['{"file":"C:\\q\\u00e9"}', 'C:\\q\\u00e9'],
  ])('%j keeps its backslashes if asked to', async (text, value) => {
    expect(JSON.parse(await runOnText(jsonRepair, text, { backslashes: 'double' }))).toEqual({ file: value })
  })

  it('guesses brackets only if asked to, and says so', async () => {
    const { output, notes } = await runWithNotes(jsonRepair, '[1,2,,3]', { brackets: 'guess' })
    expect(JSON.parse(output)).toEqual([[1, 2], 3])
    expect(notes).toContain('1:2 Brackets guessed: 2, in line 1.')
  })

  it('takes long texts full of escapes', async () => {
    const long = `["${'\\n'.repeat(500_000)}"`
    expect(await runOnText(jsonRepair, long)).toBe(`${long}]`)
  })

  it.each([
    ['texts that never end', `{"a":"b",${'"\\'.repeat(200_000)}`],
    ['commas too many on as many lines', `[${'1,\n,'.repeat(2)}${'1,\n'.repeat(200_000)}2]`],
  ])('looks at each character a few times: %s', async (_of, text) => {
    const outcome = await runOnText(jsonRepair, text, { backslashes: 'double' }).catch(() => 'refused')
    expect(outcome).toBeTruthy()
  })
})
