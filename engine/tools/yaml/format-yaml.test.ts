import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { corpusFolder } from '#libs/testing/corpora.js'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { runOnText } from '../testing/run-tool.js'
import { yamlFormat } from './yaml-format.js'
import { yamlToJson } from './yaml-to-json.js'

const scalars = [
  '1.50',
  '0x1F',
  '~',
  'plain text',
  "'it''s'",
  '"a \\u00e9\\n\\" b"',
  '12345678901234567890',
  'no',
]
const props = ['', '', '', '!!str ', '&a ', '!x ']

/** YAML with comments, each of its own number, and any indentation. */
class RandomYaml {
  private readonly random: Random
  comments = 0

  constructor(random: Random) {
    this.random = random
  }

  /** A value behind a key or dash, up to the end of its last line. */
  value(indent: number, depth: number): string {
    const { random } = this
    const kind = random.below(depth === 0 ? 3 : 7)
    const prop = random.pick(props)
    if (kind === 0) return ` ${this.flow(depth)}${this.comment()}\n`
    if (kind === 1) return this.blockScalar(indent)
    if (kind < 4) return ` ${prop}${random.pick(scalars)}${this.comment()}\n`
    const inner = indent + 1 + random.below(5)
    const head = `${random.below(2) === 0 ? prop.trimEnd().replace(/^(?=.)/, ' ') : ''}${this.comment()}\n`
    return head + (kind === 4 ? this.sequence(inner, depth - 1) : this.mapping(inner, depth - 1))
  }

  mapping(indent: number, depth: number): string {
    const margin = ' '.repeat(indent)
    return this.several((at) => {
      const key = this.random.pick([`key ${at}`, `"q${at}"`, `&k${at} k${at}`])
      if (this.random.below(8) === 0) return `${margin}? ${key}\n${margin}:${this.value(indent, depth)}`
      return `${margin}${key}:${this.value(indent, depth)}`
    }, margin)
  }

  private sequence(indent: number, depth: number): string {
    const margin = ' '.repeat(indent)
    return this.several(() => `${margin}-${this.value(indent, depth)}`, margin)
  }

  private several(one: (at: number) => string, margin: string): string {
    const { random } = this
    return Array.from({ length: 1 + random.below(4) }, (_item, at) => {
      const before = random.pick(['', '', '\n', '\n\n', `${margin}${this.comment().trim()}\n`])
      return before + one(at)
    }).join('')
  }

  private flow(depth: number): string {
    const { random } = this
    if (depth === 0 || random.below(3) === 0) return random.pick(['[]', '{}', '"x"', '{ a: , "b":1 }'])
    const items = Array.from({ length: random.below(5) }, () => this.flow(depth - 1))
    const text =
      random.below(2) === 0 ? items.join(' ,') : items.map((item, at) => `k${at} : ${item}`).join(', ')
    const gap = text.startsWith('{') ? ' ' : ''
    return text.includes(':') ? `{${gap}${text}}` : `[ ${text}]`
  }

  private blockScalar(indent: number): string {
    const { random } = this
    const margin = ' '.repeat(indent + 2)
    const lines = ['first', random.pick(['', '   more']), '# no comment', 'last: -']
    const text = lines.map((line) => (line === '' ? '' : margin + line)).join('\n')
    return ` ${random.pick(['|', '>', '|-', '>+', '|2'])}${this.comment()}\n${text}\n${random.pick(['', '\n\n'])}`
  }

  private comment(): string {
    if (this.random.below(4) > 0) return ''
    this.comments += 1
    return `   # comment-${this.comments}`
  }
}

function valuesOf(yaml: string): unknown {
  return parseAllDocuments(yaml, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' }).map(
    (document) => {
      expect(document.errors).toEqual([])
      return document.toJS({ mapAsMap: true }) as unknown
    },
  )
}

describe('formatting YAML', () => {
  it('keeps values, comments, anchors, tags and spellings, and is stable', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seededRandom(seed)
      const yaml = new RandomYaml(random).mapping(0, 4)
      const options = {
        indent: random.pick(['2', '4', '8']),
        indent_sequences: random.below(2) === 0,
        line_width: random.pick([20, 80]),
      }
      const formatted = await runOnText(yamlFormat, yaml, options).catch((error: unknown) => {
        throw new Error(yaml, { cause: error })
      })
      expect(valuesOf(formatted), yaml).toEqual(valuesOf(yaml))
      for (const pattern of [/# comment-\d+/g, /&\w+/g, /![!x]\w*/g, /"(?:[^"\\]|\\.)*"|0x1F|1\.50|'it''s'/g])
        expect(formatted.match(pattern), yaml).toEqual(yaml.match(pattern))
      expect(await runOnText(yamlFormat, formatted, options), yaml).toBe(formatted)
    }
  })

  it.each([
    [
      'a: # one\n    # two\n    b: 1\n    # three\n# four\nc: 2\n',
      'a: # one\n  # two\n  b: 1\n  # three\n# four\nc: 2\n',
    ],
    ['-\n    a: 1\n', '- a: 1\n'],
    ['- &x\n  a: 1\n', '- &x\n  a: 1\n'],
    ['a:\n  "x\n   y \\\n    z"\n', 'a: "x\n  y \\\n  z"\n'],
    ['--- |2-\n    x\n...\n--- {a}\n', '--- |2-\n    x\n...\n--- { a }\n'],
    ['k: |\r\n    a\r\n      b\r\n', 'k: |\n  a\n    b\n'],
    ['*a : {*b : c}\n[f, {x}]: 1\n', '*a : { *b : c }\n[f, { x }]: 1\n'],
    ['&a x: *a\n*a : 1\n', '&a x: *a\n*a : 1\n'],
    ['# only\n', '# only\n'],
    ['', ''],
    ['a: 1\na: 2\n', 'a: 1\na: 2\n'],
    ['a: [b, # note\n c]\n', 'a:\n  [\n    b, # note\n    c\n  ]\n'],
  ])('%j', async (yaml, formatted) => {
    expect(await runOnText(yamlFormat, yaml)).toBe(formatted)
  })

  it.each([
    'a: "{{ x }}"\nb: \'{% if y %}\'\n# {{ c }} {% d %}\n',
    `run: echo $\{{ github.sha }}\n`,
    'text: |\n  {{ x }}\n  {% for y in z %}\n',
    'long: some {{ text }} {% within %} a line\n',
    'nested: { { a: 1 }: b, c: {} }\n',
    '- !Ref x{{y}}\n',
  ])('keeps braces that begin no template: %j', async (yaml) => {
    expect(await runOnText(yamlFormat, yaml)).toBe(yaml)
  })

  it.each([
    ['metadata:\n  name: {{ .Release.Name }}\n  labels:\n    {{- include "x" . | nindent 4 }}\n', 2, 9],
    ['{{- if .Values.x }}\na: 1\n{{- end }}\n', 1, 1],
    ['a: 1\n{% for x in y %}\n- {{ x }}\n{% endfor %}\n', 2, 1],
    ['{# note #}\na: 1\n', 1, 1],
    ['- [1, {{ x }}]\n', 1, 7],
    ['é: &a {{ x }}\n', 1, 7],
    ['a: !Ref {{ x }}: 1', 1, 9],
  ])('refuses a template with its place: %j', async (yaml, line, column) => {
    for (const tool of [yamlFormat, yamlToJson])
      await expect(runOnText(tool, yaml)).rejects.toMatchObject({
        code: 'yaml_template',
        position: { line, column },
      })
  })

  it.each([
    ['a: b: c', 'yaml_invalid', 1],
    ['%YAML 1.3\n---\na', 'yaml_version', 1],
    ['a: 1\n...\n%YAML 2.0\n---\nb: 1\n', 'yaml_version', 3],
    [`${'['.repeat(600)}${']'.repeat(600)}`, 'yaml_too_deep', null],
    ['- '.repeat(2_000), 'yaml_too_deep', null],
    [' '.repeat(5_000_000), 'input_too_large', null],
    [deepLines(400, 20_000), 'input_too_large', null],
  ])('%.30j is refused', async (yaml, code, line) => {
    const failure: unknown = await runOnText(yamlFormat, yaml).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code, position: line === null ? null : { line } })
  })
})

/** Many lines below many levels, each of which is a character of indentation here. */
function deepLines(depth: number, lines: number): string {
  const levels = Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`)
  return levels.join('') + `${' '.repeat(depth)}- b\n`.repeat(lines)
}

const folder = corpusFolder('yaml-test-suite/src')
const missing = ' (skipped: the corpus is not here; npm run corpora fetches it)'
const suiteCase = z.object({ yaml: z.string().optional(), fail: z.boolean().optional() })

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

describe.skipIf(folder === null)(`the YAML test suite${folder === null ? missing : ''}`, () => {
  it('has valid documents, which come out meaning what they meant, and stay as they are then', async () => {
    const refused: string[] = []
    let formattedCount = 0
    for (const name of readdirSync(folder ?? '')) {
      let yaml = ''
      const cases = z.array(suiteCase).parse(parse(readFileSync(join(folder ?? '', name), 'utf8')))
      for (const [at, one] of cases.entries()) {
        yaml = one.yaml === undefined ? yaml : shown(one.yaml)
        if (one.fail === true) continue
        for (const options of [{}, { indent: '4', indent_sequences: false, line_width: 20 }]) {
          const made = await runOnText(yamlFormat, yaml, options).catch(() => null)
          if (made === null) {
            refused.push(`${name} ${at}`)
            continue
          }
          formattedCount += 1
          expect(await runOnText(yamlFormat, made, options), name).toBe(made)
        }
      }
    }
    // Of another version, or one that is spelled wrongly.
    expect({ formattedCount, refused: [...new Set(refused)] }).toEqual({
      formattedCount: 618,
      refused: ['BEC7.yaml 0', 'ZYU8.yaml 2', 'ZYU8.yaml 3'],
    })
  })
})
