import { describe, expect, it } from 'vitest'
import { jwtDecode } from '#engine/tools/encoding/jwt-decode.js'
import { jsonFormat } from '#engine/tools/json/json-format.js'
import { jsonMinify } from '#engine/tools/json/json-minify.js'
import { runTool } from '#engine/tools/testing/run-tool.js'
import type { ToolDescription } from '#engine/tools/tool.js'
import { xmlFormat } from '#engine/tools/xml/xml-format.js'
import { xmlToJson } from '#engine/tools/xml/xml-to-json.js'
import { yamlToJson } from '#engine/tools/yaml/yaml-to-json.js'
import { detectKind } from './detect-kind.js'
import { type KindContent, partText } from './kind-content.js'

const detect = (text: string, name = 'anything', tool = 'tool'): Promise<KindContent> =>
  detectKind(partText(new TextEncoder().encode(text)), name, tool)

const base64url = (json: string): string => Buffer.from(json).toString('base64url')

const treeOf = async (text: string, name: string): Promise<string> => {
  const { tree } = await detect(text, name)
  return new TextDecoder().decode(tree?.())
}

const toolOutput = async (
  tool: ToolDescription,
  text: string,
  options: Readonly<Record<string, unknown>>,
): Promise<string> => Buffer.from(await runTool(tool, [Buffer.from(text)], options)).toString()

const compact = { indent: 'none', final_newline: false }
const tags = { tags: 'keep', merge: 'keep', duplicate_keys: 'keep', ...compact }

describe('trees are what the tools say', () => {
  it.each([
    ['a: 12345678901234567890.10\nb: 0x1F\nc: &x [1.0, yes, ~]\nd: *x\n<<: *x\n"e": "5"\n', tags],
    ['a: 1\n---\nb: 2\n', { documents: 'array', ...tags }],
    ['a: !Sub x\nb: !If [p, !Ref q]\nc: !!str 1\n', tags],
    ['a: 1\na: 2\n', tags],
    ['%YAML 1.1\n---\na: &b {c: 1}\nd: {<<: *b, e: 0o7}\n', tags],
  ])('YAML: %j', async (text, options) => {
    expect(await treeOf(text, 'yaml')).toBe(await toolOutput(yamlToJson, text, options))
  })

  it.each([
    '<o id="1"><item>a &amp; b</item><item n="2">c</item><e/>tail<![CDATA[<x>]]></o>',
    '<?xml version="1.0"?><!-- note --><n>12345678901234567890.10</n>',
    '<root xmlns:json="urn:snipkeep:json" json:root="true"><a_b json:key="a b" json:type="null"/></root>',
  ])('XML: %j', async (text) => {
    expect(await treeOf(text, 'xml')).toBe(await toolOutput(xmlToJson, text, compact))
    const { formatted } = await detect(text, 'xml')
    expect(new TextDecoder().decode(formatted?.())).toBe(await toolOutput(xmlFormat, text, { indent: '2' }))
  })

  it('a token', async () => {
    const token = `${base64url('{"alg":"none"}')}.${base64url('{"iat":1700000000,"n":12345678901234567890}')}.`
    expect(await treeOf(token, 'token')).toBe(
      await toolOutput(jwtDecode, token, { indent: 'none', times: true }),
    )
    expect(await treeOf(token, 'token')).toContain('"times":{"iat":"2023-11-14 22:13:20 UTC"}')
    const large = `${base64url('{"alg":"none"}')}.${base64url(`{"x":"${'y'.repeat(1_000_000)}"}`)}.`
    expect((await detect(large)).kind).toBe('jwt')
  })

  it.each([
    ['yaml', 'a: 1\nb: .inf\n'],
    ['yaml', '? [a, b]\n: c\nd: 1\n'],
    ['yaml', 'a: &x [*x]\n'],
    ['xml', '<!DOCTYPE l [<!ENTITY l "lol"><!ENTITY m "&l;&l;">]><l a="&m;">&m;</l>'],
  ])('%s that JSON cannot have is shown without one: %j', async (kind, text) => {
    expect(await detect(text, kind)).toMatchObject({ kind, tree: null })
  })

  it('aliases that would explode are no tree', async () => {
    const levels = Array.from(
      { length: 30 },
      (_level, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]`,
    )
    const bomb = `l0: &l0 [lol]\n${levels.join('\n')}\n`
    expect(await detect(bomb, 'yaml')).toMatchObject({ kind: 'yaml', tree: null })
    expect((await detect(`a: ${'['.repeat(100_000)}`, 'yaml')).kind).toBe('text')
    for (const other of ['name: {{ .Name }}\n', '%YAML 1.3\n---\na: 1\n'])
      expect((await detect(other, 'yaml')).kind, other).toBe('text')
  })

  it('TOML keeps the digits of numbers and times', async () => {
    const toml =
      'a = 1_000\nb = 12345678901234567890.10\nd = 1979-05-27T07:32:00Z\n[x.y]\nz = { q = [1.0, true, "s"] }\n[[i]]\nn = 0xFF\n[[i]]\nn = nan\n[i.k]\nm = 1\n'
    expect(await treeOf(toml, 'toml')).toBe(
      '{"a":1_000,"b":12345678901234567890.10,"d":"1979-05-27T07:32:00Z","x":{"y":{"z":{"q":[1.0,true,"s"]}}},"i":[{"n":0xFF},{"n":"nan","k":{"m":1}}]}',
    )
    expect((await detect('a = 1\na = 2\n', 'toml')).kind).toBe('text')
  })

  it('TOML has as many levels as JSON may have', async () => {
    const nested = (levels: number): string =>
      `${Array.from({ length: levels }, () => 'a').join('.')} = 1_0\n`
    expect(await treeOf(nested(512), 'toml')).toBe(`${'{"a":'.repeat(512)}1_0${'}'.repeat(512)}`)
    expect((await detect(nested(513), 'toml')).kind).toBe('text')
    expect((await detect(`a = ${'['.repeat(512)}${']'.repeat(512)}\n`, 'toml')).kind).toBe('text')
  })

  it('JSON with comments is what the tools make of it without and with them', async () => {
    const text = '// a\n{"n": 1.50, /* b */ "l": [12345678901234567890,],}\n'
    expect(await treeOf(text, 'settings.jsonc')).toBe(
      await toolOutput(jsonMinify, text, { comments: 'drop' }),
    )
    const { formatted } = await detect(text, 'tsconfig.json')
    const options = { indent: '2', comments: 'keep' }
    expect(new TextDecoder().decode(formatted?.())).toBe(await toolOutput(jsonFormat, text, options))
  })

  it('JSON5 is what it says, with its digits', async () => {
    const text =
      "{a: 0xffffffffffffffffff, 'b\"': [+1.50, .5, 5., -0x1F, 1e3,], $c: '\\x41\\u00e9\\\n\\q\\0', NaN: null, /* */}"
    expect(await treeOf(text, 'json5')).toBe(
      '{"a":4722366482869645213695,"b\\"":[1.50,0.5,5,-31,1e3],"$c":"Aéq\\u0000","NaN":null}',
    )
    expect(await detect('[Infinity, -NaN]', 'json5')).toMatchObject({ kind: 'json5', tree: null })
  })
})
