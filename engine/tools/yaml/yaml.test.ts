import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { corpusFolder } from '#libs/testing/corpora.js'
import { seededRandom } from '#libs/testing/random.js'
import { runOnText } from '../testing/run-tool.js'
import { ToolInputError } from '../tool-input-error.js'
import { jsonToYaml } from './json-to-yaml.js'
import { yamlToJson } from './yaml-to-json.js'

const compact = { indent: 'none', final_newline: false }

describe('JSON to YAML', () => {
  const pieces = [
    ...[
      'a',
      'Z é',
      '😀',
      ' ',
      '\n',
      '\n\n',
      '\t',
      '\r',
      ': ',
      ' #',
      '-',
      '"',
      "'",
      '\\',
      '{',
      ']',
      ',',
      '&',
      '*',
    ],
    ...[
      '0',
      '1e3',
      '.5',
      '---',
      '...',
      '\u0000',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\ud800',
      '|',
      '>',
      '%',
      '@',
      '~',
    ],
  ]

  it('writes strings that the parser reads as they were, in every place', async () => {
    for (let seed = 0; seed < 600; seed += 1) {
      const random = seededRandom(seed)
      const text = (): string => Array.from({ length: random.below(5) }, () => random.pick(pieces)).join('')
      const value = random.pick([
        [text(), text()],
        { [text()]: text() },
        [{ a: text(), b: [text()] }],
        [[text()], text()],
        text(),
      ])
      const options = { indent: random.pick(['2', '4']), multiline: random.pick(['blocks', 'quotes']) }
      const yaml = await runOnText(jsonToYaml, JSON.stringify(value), options)
      expect(parse(yaml), JSON.stringify(yaml)).toEqual(value)
      expect(await runOnText(yamlToJson, yaml, compact)).toBe(JSON.stringify(value))
    }
  })

  it.each(
    'true|Yes|off|~|null|NULL|y|1|-1|+1|1.5|1e3|0x1f|0o7|017|1_000|1:20|.5|.inf|-.inf|.NaN|NaN|2024-01-01|<<|=|-|?|!x|"|'.split(
      '|',
    ),
  )('quotes the string %j, which could be read as something else', async (text) => {
    const yaml = await runOnText(jsonToYaml, JSON.stringify({ [text]: text }))
    const quoted = JSON.stringify(text)
    expect(yaml).toBe(`${quoted}: ${quoted}\n`)
    for (const version of ['1.1', '1.2'] as const) expect(parse(yaml, { version })).toEqual({ [text]: text })
  })

  it('refuses a key that an object has twice, unless asked to keep it', async () => {
    const text = '{"a":[{"b":1,"\\u0062":2}]}'
    await expect(runOnText(jsonToYaml, text)).rejects.toMatchObject({ code: 'duplicate_key' })
    const kept = await runOnText(jsonToYaml, text, { duplicate_keys: 'keep' })
    expect(kept).toBe('a:\n  - b: 1\n    b: 2\n')
    expect(await runOnText(yamlToJson, kept, { ...compact, duplicate_keys: 'keep' })).toBe(
      '{"a":[{"b":1,"b":2}]}',
    )
    await expect(runOnText(yamlToJson, kept)).rejects.toMatchObject({
      code: 'duplicate_key',
      position: { line: 3, column: 5 },
    })
  })

  it('writes containers within one another, to the deepest level', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]'],
    ] as const) {
      const depth = open.length > 5 ? 200 : 400
      const text = `${open.repeat(depth)}1${close.repeat(depth)}`
      expect(await runOnText(yamlToJson, await runOnText(jsonToYaml, text), compact)).toBe(text)
    }
  })

  it('puts a long key on a line of its own', async () => {
    const text = JSON.stringify({ [`${'long '.repeat(400)}.`]: { a: [1] } })
    expect(await runOnText(yamlToJson, await runOnText(jsonToYaml, text), compact)).toBe(text)
  })
})

describe('YAML to JSON', () => {
  it.each([
    ['[0o17, 0x1F, +12, 012, .5, 1., -0, 1e3, 1.50]', '[15,31,12,12,0.5,1.0,-0,1e3,1.50]'],
    [
      '[123456789012345678901234567890, 0.1234567890123456789]',
      '[123456789012345678901234567890,0.1234567890123456789]',
    ],
    ['[yes, No, ~, null, True, 1_000]', '["yes","No",null,null,true,"1_000"]'],
    ['%YAML 1.1\n---\n[yes, 1_000, 017]', '[true,1000,15]'],
    ['"\\ud800 \\u00e9"', '"\\ud800 é"'],
    ['&a [1, &a 2, *a]', '[1,2,2]'],
    ['[&b [&a 1, *a], &a 2, *b, *a]', '[[1,1],2,[1,1],2]'],
    ['1.5: a\ntrue: b\n? ~\n: c', '{"1.5":"a","true":"b","~":"c"}'],
    [
      '!!map {a: !!str 1, b: !!int "3", c: !!float 1, d: !!bool "true", e: !!null "", f: !!seq [], g: ! 5}',
      '{"a":"1","b":3,"c":1,"d":true,"e":null,"f":[],"g":"5"}',
    ],
    ['!<tag:yaml.org,2002:str> 4', '"4"'],
    ['{"<<": 1, b: <<, c: [<<]}', '{"<<":1,"b":"<<","c":["<<"]}'],
    [
      '%YAML 1.1\n---\n[1.5e+3, 0b11, 190:20:30, 2001-12-14, 0o17, +1, "1e3"]',
      '[1.5e+3,3,685230,"2001-12-14","0o17",1,"1e3"]',
    ],
    ['%YAML 1.1\n---\na: &a {x: 1}\nb: {<<: *a}', '{"a":{"x":1},"b":{"x":1}}'],
    ['# nothing', 'null'],
  ])('%j is %s', async (yaml, json) => {
    expect(await runOnText(yamlToJson, yaml, compact)).toBe(json)
  })

  it.each([
    ['a: b: c', 'yaml_invalid', 1],
    ['é: 1\nb: [1', 'yaml_invalid', 2],
    ['a: .nan', 'yaml_number', 1],
    ['[a]: 1', 'yaml_key', 1],
    ['a: *b', 'yaml_invalid', 1],
    ['a: 1\nb: !Sub x', 'yaml_tag', 2],
    ['a: !!binary aGk=', 'yaml_tag', 1],
    ['a:\n  - !!set {a}', 'yaml_tag', 2],
    ['%TAG !e! tag:x,2020:\n---\n!e!foo b\n', 'yaml_tag', 3],
    ['!foo a: 1', 'yaml_tag', 1],
    ['a: !!int x', 'yaml_tag', 1],
    ['a: !!float one', 'yaml_tag', 1],
    ['a: !!bool "maybe"', 'yaml_tag', 1],
    ['base: &b {a: 1}\njob:\n  <<: *b', 'yaml_merge', 3],
    ['%YAML 1.3\n---\na: 1', 'yaml_version', 1],
    ['%YAML 1.0\n---\na: yes', 'yaml_version', 1],
    ['%YAML 1.1\n---\na: "x\u2028y"', 'yaml_version', 3],
    ['a:\n  - &x [*x]', 'yaml_cyclic', 2],
    ['--- 1\n--- 2\n', 'yaml_documents', null],
    [`${'['.repeat(600)}${']'.repeat(600)}`, 'yaml_too_deep', null],
    ['['.repeat(1_000_000), 'yaml_too_deep', null],
    ['- '.repeat(2_000), 'yaml_too_deep', null],
    [' '.repeat(5_000_000), 'input_too_large', null],
  ])('%.30j is refused', async (yaml, code, line) => {
    const failure: unknown = await runOnText(yamlToJson, yaml).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code, position: line === null ? null : { line } })
  })

  it.each(['08', '1e3', '1.5e3', '0:30', '._5', '0_8'])(
    'refuses %s where readers of YAML 1.1 disagree',
    async (number) => {
      await expect(runOnText(yamlToJson, `%YAML 1.1\n---\na: ${number}`)).rejects.toMatchObject({
        code: 'yaml_number',
        position: { line: 3, column: 4 },
      })
      await expect(runOnText(yamlToJson, `%YAML 1.1\n---\na: "${number}"`, compact)).resolves.toBe(
        `{"a":"${number}"}`,
      )
    },
  )

  it('stops at aliases that multiply', async () => {
    const levels = Array.from({ length: 20 }, (_level, at) =>
      at === 0 ? 'l0: &l0 [x, x]' : `l${at}: &l${at} [${`*l${at - 1}, `.repeat(9)}*l${at - 1}]`,
    )
    await expect(runOnText(yamlToJson, levels.join('\n'))).rejects.toMatchObject({ code: 'yaml_aliases' })
  })
})

const folder = corpusFolder('yaml-test-suite/src')
const missing = ' (skipped: the corpus is not here; npm run corpora fetches it)'
const suiteCase = z.object({
  yaml: z.string().optional(),
  json: z.string().nullish(),
  fail: z.boolean().optional(),
})

/** The suite shows white space by characters of its own. */
function shown(text: string): string {
  return text
    .replaceAll('␣', ' ')
    .replace(/—*»/g, '\t')
    .replaceAll('←', '\r')
    .replaceAll('⇔', '\ufeff')
    .replaceAll('↵', '')
    .replace(/∎\n$/, '')
}

function valuesIn(json: string): unknown {
  try {
    return [JSON.parse(json)]
  } catch {
    // Documents one after the other, each written over several lines or one.
    return json
      .trim()
      .split(/\n(?=[[{"\d]|null|true|false)/)
      .map((one): unknown => JSON.parse(one))
  }
}

/** Where the version is another one, the library takes a mistake in directives, sees an empty document more, or the suite's JSON has another order. */
const known = ['9MMA.yaml 0', 'BEC7.yaml 0', 'M7A3.yaml 0', 'RR7F.yaml 0', 'SF5V.yaml 0']

describe.skipIf(folder === null)(`the YAML test suite${folder === null ? missing : ''}`, () => {
  it('has documents, which mean in JSON what it says, and mistakes, which are refused', async () => {
    const differences: string[] = []
    const tagged: string[] = []
    let [compared, refused] = [0, 0]
    for (const name of readdirSync(folder ?? '')) {
      const cases = z.array(suiteCase).parse(parse(readFileSync(join(folder ?? '', name), 'utf8')))
      let yaml = ''
      for (const [at, one] of cases.entries()) {
        yaml = one.yaml === undefined ? yaml : shown(one.yaml)
        const options = { ...compact, documents: 'array', duplicate_keys: 'keep' }
        const made = await runOnText(yamlToJson, yaml, options).catch((error: unknown) => error)
        if (made instanceof ToolInputError && made.code === 'yaml_tag') {
          tagged.push(name)
          expect(await runOnText(yamlToJson, yaml, { ...options, tags: 'keep' })).toContain('!')
          continue
        }
        if (one.fail === true) {
          refused += 1
          if (!(made instanceof Error)) differences.push(`${name} ${at}`)
        } else if (typeof one.json === 'string' && one.json !== '') {
          compared += 1
          const expected = JSON.stringify(valuesIn(shown(one.json)))
          const found = made instanceof Error ? String(made) : JSON.stringify(JSON.parse(String(made)))
          if (found !== expected) differences.push(`${name} ${at}`)
        }
      }
    }
    expect({ compared, refused, tagged: tagged.length, differences }).toEqual({
      compared: 251,
      refused: 94,
      tagged: 16,
      differences: known,
    })
  })
})
