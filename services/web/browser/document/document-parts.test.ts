import { expect, it } from 'vitest'
import type { PartReader, TreeNode } from './document-reader.js'
import { readerOf } from './testing/reader-of.js'

const open = (data: object, name: string | null = null, tool = ''): Promise<PartReader> => {
  const reader = readerOf(JSON.stringify(data), tool)
  return reader.opened.then(({ parts, firstPart }) =>
    reader.openPart(name === null ? firstPart : parts.findIndex((part) => part.name === name), null),
  )
}

async function linesOf(reader: PartReader, form: 'shown' | 'source' | 'sent'): Promise<readonly string[]> {
  const lines = await reader.lines(form, 0, 100)
  return lines.map(({ text }) => text)
}

const pointersOf = (nodes: readonly TreeNode[] | null): readonly string[] | null =>
  nodes?.map(({ pointer }) => pointer) ?? null

it('the input of a JSON formatter is formatted JSON with a tree, whose links have its prefix', async () => {
  const input = '{"id":4711,"price":1.0,"tags":["a"]}'
  const reader = await open({ input })
  expect(reader.part).toMatchObject({
    name: 'input',
    pointers: ['/input'],
    kind: 'json',
    hasTree: true,
    isFormatted: true,
  })
  expect(await linesOf(reader, 'shown')).toEqual([
    '{',
    '  "id": 4711,',
    '  "price": 1.0,',
    '  "tags": [',
    '    "a"',
    '  ]',
    '}',
  ])
  expect(await linesOf(reader, 'source')).toEqual([input])
  expect(await linesOf(reader, 'sent')).toEqual([JSON.stringify({ input })])
  expect(pointersOf(await reader.locate('/input/tags/0'))).toEqual(['/input', '/input/tags', '/input/tags/0'])
  expect(await reader.locate('/id')).toBeNull()
  expect(await reader.lineOf('shown', '/input/tags/0')).toBe(4)
  expect(await reader.lineOf('sent', '/input')).toBe(0)
  const [, id] = (await reader.locate('/input/id')) ?? []
  expect(id).toMatchObject({ preview: '4711', type: 'number' })
})

it('CSV is a table of its own member', async () => {
  const reader = await open({ csv: 'id,total\n1,10.50\n' })
  expect(reader.part).toMatchObject({ kind: 'csv', table: { source: 'csv', pointer: '/csv' } })
  expect(await reader.table()).toMatchObject({ columns: ['id', 'total'], rowCount: 1 })
  expect(await reader.cell(0, 1)).toBe('10.50')
})

it('each of several members is a part with pointers of the whole data', async () => {
  const data = { input: 'a: 1\nb: [2.0]\n', output: '[{"a":1.0}]', options: { indent: 2 }, count: 3 }
  const output = await open(data)
  expect(output.part).toMatchObject({
    name: 'output',
    index: 1,
    kind: 'json',
    table: { source: 'objects', pointer: '/output' },
  })
  expect(await output.cell(0, 0)).toBe('1.0')
  const options = await open(data, 'options')
  expect(options.part).toMatchObject({ kind: 'json', kinds: ['json', 'text'], hasTree: true })
  expect(await linesOf(options, 'shown')).toEqual(['{', '  "indent": 2', '}'])
  expect(pointersOf(await options.locate('/options/indent'))).toEqual(['/options', '/options/indent'])
  expect(await open(data, 'count').then(({ part }) => part)).toMatchObject({ kind: 'text', kinds: ['text'] })
  const input = await open(data, 'input')
  expect(input.part).toMatchObject({ kind: 'yaml', isFormatted: false })
  expect((await input.locate('/input/b/0'))?.at(-1)).toMatchObject({ preview: '2.0' })
})

it('the reader may show a part as another kind; if it is not that kind, it is text', async () => {
  const reader = readerOf(JSON.stringify({ text: 'a,b\n1,2' }))
  expect((await reader.openPart(0, null)).part.kind).toBe('csv')
  expect((await reader.openPart(0, 'text')).part).toMatchObject({ kind: 'text', table: null, lack: null })
  expect((await reader.openPart(0, 'json')).part).toMatchObject({ kind: 'text', lack: 'not-valid' })
  await expect(reader.openPart(1, null)).rejects.toThrow('there is no part 1')
})

it('other data is one JSON document', async () => {
  const reader = await open({ id: 1, rows: [{ a: 1 }] })
  expect(reader.part).toMatchObject({
    name: null,
    pointers: [''],
    kind: 'json',
    table: { source: 'objects', pointer: '/rows' },
  })
  expect(await reader.lineOf('sent', '/rows/0')).toBe(0)
})

it('two sides are compared, JSON of them pretty-printed', async () => {
  const texts = await open({ left: 'a\nb', right: 'a\nc' })
  expect(texts.part).toMatchObject({ kind: 'diff', kinds: ['diff'], pointers: ['/left', '/right'] })
  expect(await texts.diff(false)).toEqual({ rowCount: 2, added: 1, removed: 1 })
  const lines = await open({ left: 'a\r\nb', right: 'a\nb\n' })
  expect(await lines.diff(false)).toEqual({ rowCount: 2, added: 0, removed: 0 })
  const objects = await open({ before: { a: 1, b: 1.5 }, after: { a: 1, b: 2.5 } })
  expect(await objects.diff(false)).toMatchObject({ rowCount: 4, added: 1 })
  const [row] = await objects.diffRows(false, 2, 1)
  expect(row?.right?.pieces.map(({ text }) => text).join('')).toBe('  "b": 2.5')
})

it('Markdown is HTML, not yet sanitised, and a patch has its sides', async () => {
  const markdown = await open({ readme: '# Title\n\n<script>alert(1)</script>\n' })
  expect(await markdown.markup()).toContain('<h1>Title</h1>')
  const patch = await open({ patch: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' })
  expect(await patch.diff(true)).toMatchObject({ rowCount: 4, added: 1, removed: 1 })
  expect(await patch.picture()).toBeNull()
})

it('a token that is too large is shown as it was sent', async () => {
  const reader = await open({ jwt: `${'a'.repeat(5_000_000)}.b1.c2` })
  expect(reader.part).toMatchObject({ kind: 'jwt', lack: 'too-large', isFormatted: false, hasTree: false })
  expect((await reader.wholeText('shown')).slice(-6)).toBe('.b1.c2')
})

it('NDJSON is a table and a tree of its lines', async () => {
  const reader = await open({ lines: '{"a":1.0}\n{"a":2,"b":"x"}\n' })
  expect(reader.part).toMatchObject({
    kind: 'ndjson',
    table: { source: 'objects', pointer: '/lines' },
    isFormatted: false,
  })
  expect(await linesOf(reader, 'shown')).toEqual(['{"a":1.0}', '{"a":2,"b":"x"}', ''])
  expect((await reader.locate('/lines/1/b'))?.at(-1)).toMatchObject({ preview: 'x' })
})
