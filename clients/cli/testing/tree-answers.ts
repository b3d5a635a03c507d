import { expect } from 'vitest'
import { compare } from '#engine/compare/compare.js'
import { CompareError } from '#engine/compare/comparison.js'
import { pointerTo, stepsOf } from '#engine/json-pointer.js'
import { jsonMinify } from '#engine/tools/json/json-minify.js'
import { jsonQuery } from '#engine/tools/json/json-query.js'
import { jsonValidate } from '#engine/tools/json/json-validate.js'
import { ndjsonToJson } from '#engine/tools/json/ndjson-to-json.js'
import { runTool } from '#engine/tools/testing/run-tool.js'
import type { ToolDescription } from '#engine/tools/tool.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { isUtf8 } from '#engine/tools/whole-input.js'
import { xmlToJson } from '#engine/tools/xml/xml-to-json.js'
import { yamlToJson } from '#engine/tools/yaml/yaml-to-json.js'
import { cutEvery } from '#libs/testing/cut.js'
import { createPointerLocators } from '../../../gateway/data/pointer-locator.js'
import { createRowLocator } from '../../../gateway/data/row-locator.js'
import { type ReadPart, readPart } from '../../../services/web/browser/document/read-part.js'
import { run } from '../run.js'
import type { TreeFormat } from './format-inputs.js'
import { testTerminal } from './test-terminal.js'

const compact = { indent: 'none', final_newline: false }
const flags = ['--indent', 'none', '--no-final-newline']

interface FormatReaders {
  readonly tool: ToolDescription
  readonly options: Readonly<Record<string, unknown>>
  readonly flags: readonly string[]
}

const readers: Readonly<Record<TreeFormat, FormatReaders>> = {
  json: { tool: jsonMinify, options: {}, flags: [] },
  ndjson: { tool: ndjsonToJson, options: compact, flags },
  yaml: {
    tool: yamlToJson,
    options: { tags: 'keep', merge: 'keep', duplicate_keys: 'keep', ...compact },
    flags: ['--tags', 'keep', '--merge', 'keep', '--duplicate-keys', 'keep', ...flags],
  },
  // What a page shows is text already, whatever its declaration says.
  xml: {
    tool: xmlToJson,
    options: { encoding: 'utf-8', ...compact },
    flags: ['--encoding', 'utf-8', ...flags],
  },
}

function viewerPart(text: string, kind: TreeFormat): Promise<ReadPart> {
  const bytes = Buffer.from(JSON.stringify({ x: text }))
  const part = { type: 'member', key: 'x', start: 5, end: bytes.length - 1 } as const
  return readPart({ bytes, part, index: 0, tool: '', kind })
}

const isTree = (json: string): boolean => /^[{[]/.test(json)

/** The pointers of all values, but of those of keys that occur twice only the last. */
function pointersIn(value: unknown, steps: readonly string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return [pointerTo(steps)]
  const inside = Object.entries(value).flatMap(([key, one]) => pointersIn(one, [...steps, key]))
  return [pointerTo(steps), ...inside]
}

function valueAt(value: unknown, pointer: string): unknown {
  return (stepsOf(pointer) ?? []).reduce<unknown>(
    (inside, step) => (inside as Record<string, unknown>)[step],
    value,
  )
}

/** What the gateway finds at each pointer is what the viewer, the tool and `JSON.parse` find there. */
async function expectOnePlace(bytes: Uint8Array, viewer: ReadPart['queries'] | null): Promise<void> {
  const json: unknown = JSON.parse(Buffer.from(bytes).toString())
  const createLocator = createPointerLocators()
  for (const pointer of pointersIn(json).slice(0, 30)) {
    const expected = valueAt(json, pointer)
    const locator = createLocator(stepsOf(pointer) ?? [])
    for (const chunk of cutEvery(Buffer.from(bytes), 7)) locator.push(chunk)
    const { offset = 0, length = 0 } = locator.finish() ?? {}
    expect(JSON.parse(Buffer.from(bytes.subarray(offset, offset + length)).toString())).toEqual(expected)
    const node = viewer?.locate(`/x${pointer}`)?.at(-1)
    if (viewer !== null && node !== undefined) {
      const text = viewer.textOf(node.id)
      expect(node.type === 'string' ? text : JSON.parse(text)).toEqual(expected)
    } else expect(viewer).toBeNull()
    if (pointer === '' || pointer.includes('\ufffd')) continue
    const found = Buffer.from(await runTool(jsonQuery, [bytes], { path: pointer, ...compact }))
    expect(JSON.parse(found.toString())).toEqual(expected)
  }
  if (!Array.isArray(json)) return
  const rows = createRowLocator({ first: 1, last: json.length })
  for (const chunk of cutEvery(Buffer.from(bytes), 7)) rows.push(chunk)
  const found = rows.finish()
  expect(found?.total).toBe(json.length)
  const { start = 0, end = 0 } = found?.rows ?? {}
  expect(JSON.parse(`[${Buffer.from(bytes.subarray(start, end)).toString()}]`)).toEqual(json)
}

/** Tool, command line, viewer, comparison and gateway say that bytes are this JSON; what the tool says if it is unknown. */
export async function expectOneTree(
  format: TreeFormat,
  bytes: Buffer,
  known: string | null = null,
): Promise<void> {
  const { tool, options, flags: given } = readers[format]
  const said = Buffer.from(await runTool(tool, cutEvery(bytes, 5), options))
  const json = said.toString()
  if (known !== null) expect(json).toBe(known)
  const text = bytes.toString()
  const { terminal, out } = testTerminal(false, { input: text })
  expect(await run(['tool', tool.name, '-', ...given], terminal)).toBe(0)
  expect(out()).toBe(json)
  const { opened, queries } = isTree(json) ? await viewerPart(text, format) : { opened: null, queries: null }
  if (queries !== null) {
    expect(opened).toMatchObject({ kind: format, hasTree: true, lack: null })
    const tree = Buffer.from(queries.textOf(queries.root().id))
    expect(Buffer.from(await runTool(jsonMinify, [tree])).toString()).toBe(json)
    expect(compare(tree, said, { as: 'json' }).equal).toBe(true)
  }
  if (format === 'json') expect(compare(bytes, said, { as: 'json' }).equal).toBe(true)
  await expectOnePlace(said, queries)
}

/** All of them refuse bytes, at one place if they name one. */
export async function expectNoTree(format: TreeFormat, bytes: Buffer): Promise<void> {
  const { tool, options, flags: given } = readers[format]
  const refusal = await runTool(tool, cutEvery(bytes, 5), options).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ToolInputError)
  const { code, message, position } = refusal as ToolInputError
  if (isUtf8(bytes)) {
    const { terminal, err } = testTerminal(false, { input: bytes.toString() })
    expect(await run(['tool', tool.name, '-', ...given], terminal)).toBe(1)
    const where = position === null ? '' : `:${position.line}:${position.column}`
    expect(err()).toBe(`Error: -${where}: ${message} [${code}]\n`)
    const { opened } = await viewerPart(bytes.toString(), format)
    if (format === 'json') expect(opened.kind).not.toBe('json')
    else expect(opened.hasTree).toBe(false)
  }
  if (format !== 'json') return
  const report = JSON.parse(Buffer.from(await runTool(jsonValidate, [bytes])).toString())
  expect(report.valid).toBe(false)
  const place = { offset: position?.offset, line: position?.line, column: position?.column }
  // It also reports a byte order mark.
  expect(report.errors).toContainEqual(expect.objectContaining(place))
  let compared: unknown
  try {
    compared = compare(bytes, Buffer.from('[]'), { as: 'json' })
  } catch (error) {
    compared = error
  }
  expect(compared).toBeInstanceOf(CompareError)
  if (code === 'json_invalid') expect(String(compared)).toContain(`at byte ${position?.offset}.`)
}
