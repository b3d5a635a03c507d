import { describe, expect, it, vi } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { runOnText } from '../testing/run-tool.js'
import { jsonFormat } from './json-format.js'
import { jsonMinify } from './json-minify.js'
import { rewriteJson } from './rewrite-json.js'

describe('rewriting JSON', () => {
  it('starts at the byte order mark if there is one', async () => {
    expect(await runOnText(jsonMinify, '\ufeff [1 , 2]')).toBe('[1,2]')
  })

  it('takes tokens of any length', async () => {
    const long = `"${'é"'.replace('"', '\\"').repeat(100_000)}"`
    expect(await runOnText(jsonMinify, ` [ ${long} , ${'9'.repeat(100_000)} ] `)).toBe(
      `[${long},${'9'.repeat(100_000)}]`,
    )
  })

  it('indents to the deepest level', async () => {
    const deep = '['.repeat(512) + ']'.repeat(512)
    const made = await runOnText(jsonFormat, deep, { indent: '8' })
    expect(made).toBe(`${JSON.stringify(JSON.parse(deep), null, 8)}\n`)
  })

  it.each([
    ['', 'The text holds no value.', 1, 1],
    ['[1,]', 'Expected a value, found ].', 1, 4],
    ['{"a":1,\n "é" 2}', 'Expected a colon, found 2.', 2, 6],
    ['[1}', 'Expected a comma or ], found }.', 1, 3],
    [
      '{"a":"\t"}',
      'A string holds a control character; write it as an escape, such as \\n or \\u0009.',
      1,
      7,
    ],
    ['"\\x"', '\\x is not an escape; write \\\\ for a backslash.', 1, 3],
    ['"\\u12g4"', '\\u needs four hexadecimal digits; there is g.', 1, 6],
    ['01', 'A number cannot continue with 1.', 1, 2],
    ['1 2', 'Expected the end of the text, found 2.', 1, 3],
    ['1,', 'Expected the end of the text, found ,.', 1, 2],
    ['[tru]', 'Expected true, false or null, found ] in it.', 1, 5],
    ['[1', 'The text ends before its value is complete.', 1, 3],
    ['['.repeat(513), 'Values are nested more than 512 deep.', 1, 513],
  ])('%j is refused with its place', async (text, message, line, column) => {
    const failure = await runOnText(jsonMinify, text).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message, position: { line, column } })
  })

  async function rewritten(text: string, cut: number): Promise<string> {
    async function* input(): AsyncGenerator<Uint8Array> {
      yield* cutEvery(Buffer.from(text), cut)
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of rewriteJson(input(), { indent: null, comments: 'keep' })) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  it('keeps comments however they are cut', async () => {
    const text = '[/**/1,/*/ é **/2,/***//* a */3// b\n,4]//'
    const whole = await rewritten(text, text.length * 2)
    for (const comment of ['/**/', '/*/ é **/', '/***/', '/* a */', '// b\n', '//'])
      expect(whole).toContain(comment)
    for (let cut = 1; cut < 12; cut += 1) expect(await rewritten(text, cut), `every ${cut}`).toBe(whole)
  })

  it.each([
    ['/*', '*/'],
    ['//', '\n'],
  ])(
    'copies and searches the bytes of a comment in %s once, however small the chunks are',
    async (start, end) => {
      const text = `${start}${' x'.repeat(30_000)}${end}1`
      let copied = 0
      let searched = 0
      const { set, indexOf, slice } = Uint8Array.prototype
      const spies = [
        vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, from, at) {
          copied += from.length
          set.call(this, from, at)
        }),
        vi.spyOn(Uint8Array.prototype, 'slice').mockImplementation(function (this: Uint8Array, from, to) {
          copied += this.length
          return slice.call(this, from, to)
        }),
        vi.spyOn(Uint8Array.prototype, 'indexOf').mockImplementation(function (
          this: Uint8Array,
          byte,
          from = 0,
        ) {
          searched += this.length - from
          return indexOf.call(this, byte, from)
        }),
      ]
      try {
        await rewritten(text, 1)
      } finally {
        for (const spy of spies) spy.mockRestore()
      }
      expect(copied).toBeLessThan(10 * text.length)
      expect(searched).toBeLessThan(10 * text.length)
    },
  )
})
