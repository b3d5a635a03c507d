import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import { buildCommandLine, type CommandLine } from './harness/command-line.js'

let cli: CommandLine

beforeAll(async () => {
  cli = await buildCommandLine()
})
afterAll(() => cli?.stop())

async function run(args: readonly string[], input = '') {
  const ran = await cli.run(args, input)
  return { code: ran.code, out: ran.out.toString(), err: ran.err }
}

/** The options of an example as flags. */
function flagsOf(options: Readonly<Record<string, unknown>> = {}): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = name.replaceAll('_', '-')
    if (value === false) return [`--no-${flag}`]
    if (value === true) return [`--${flag}`]
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [`--${flag}`, String(one)])
  })
}

describe('snipkeep tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s makes the output of its examples, without a server',
    async (name, tool) => {
      for (const { input, options, output } of tool.examples)
        expect(await run(['tool', name, '-', ...flagsOf(options)], input)).toEqual({
          code: 0,
          out: output,
          // A repair says what it changed.
          err: name === 'json-repair' ? expect.any(String) : '',
        })
    },
  )

  it('says where in a file the mistake is', async () => {
    await writeFile(join(cli.folder, 'bad.json'), '{"a": 1,\n "b" 2}')
    expect(await run(['tool', 'json-minify', 'bad.json'])).toMatchObject({
      code: 1,
      err: 'Error: bad.json:2:6: Expected a colon, found 2. [json_invalid]\n',
    })
  })

  it('says on stderr what it left as it was, and where', async () => {
    await writeFile(join(cli.folder, 'two.sql'), 'select 1;\nselect a||b')
    expect(await run(['tool', 'sql-format', 'two.sql', '--dialect', 'transactsql'])).toEqual({
      code: 0,
      out: 'select\n  1;\n\nselect a||b\n',
      err: expect.stringMatching(/^two\.sql:2:9: A statement is left as it is: /),
    })
  })

  it('refuses options that the tool does not have', async () => {
    expect((await run(['tool', 'json-minify', '-', '--indent', '2'], '[]')).code).toBe(2)
    const wrong = await run(['tool', 'json-format', '-', '--indent', '9'], '[]')
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('--indent')
  })
})

describe('snipkeep convert', () => {
  it('finds the tool by its formats', async () => {
    const rows = '[{"a":{"b":1.50}}]'
    expect((await run(['convert', 'json', 'csv', '-', '--nested', 'dots'], rows)).out).toBe('a.b\n1.50\n')
    expect((await run(['convert', 'csv', 'json', '-', '--no-header'], 'a,b\n')).out).toBe('[\n["a","b"]\n]\n')
  })

  it('knows other words for formats', async () => {
    expect((await run(['convert', 'json', 'xml', '-', '--no-declaration'], '{"a":"x"}')).out).toBe(
      '<a>x</a>\n',
    )
    expect((await run(['convert', 'xml', 'json', '-', '--indent', 'none'], '<a>x</a>')).out).toBe(
      '{"a":"x"}\n',
    )
    const types = 'export interface Root {\n  a: number\n}\n'
    for (const word of ['ts', 'typescript', 'TS'])
      expect((await run(['convert', 'json', word, '-'], '{"a":1}')).out).toBe(types)
    expect((await run(['convert', 'json', 'schema', '-'], '{}')).out).toContain('"type": "object"')
    expect((await run(['convert', 'yml', 'json', '-'], 'a')).out).toBe('"a"\n')
  })

  it('names the ways there are, and options that the way does not have', async () => {
    const none = await run(['convert', 'json', 'png', '-'], '[]')
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('json csv') })
    const foreign = await run(['convert', 'json', 'ndjson', '-', '--nested', 'dots'], '[]')
    expect(foreign).toMatchObject({ code: 2, err: 'Error: json-to-ndjson has no --nested.\n' })
  })
})

it('snipkeep tools lists all of them', async () => {
  const listed = await run(['tools', '--json=name'])
  expect(JSON.parse(listed.out)).toEqual(tools.map(({ name }) => ({ name })))
})
