import { expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import type { Progress } from '../document/document-reader.js'
import { readOutput } from './read-output.js'

const run = (tool: string, input: string | Uint8Array<ArrayBuffer>, options: [string, string][] = []) =>
  readOutput({ tool, options, input: new Blob([input]) }, () => {})

it('every tool gives the output of its examples, and the viewer reads it', async () => {
  for (const { name, examples } of tools)
    for (const { input, output, options = {} } of examples) {
      const texts = Object.entries(options).map(
        ([option, value]) =>
          [option, Array.isArray(value) ? JSON.stringify(value) : String(value)] as [string, string],
      )
      const { opened, openPart } = await run(name, input, texts)
      expect(opened.refusal, name).toBeNull()
      expect(await opened.output.text(), name).toBe(output)
      const { queries } = await openPart(opened.firstPart, null)
      expect(queries.wholeText('source'), name).toBe(output)
    }
})

it('says what is wrong with the input, and where', async () => {
  const { opened } = await run('json-format', '{\n  "a": 1\n  "b": 2\n}')
  expect(opened.refusal).toMatchObject({ position: { line: 3, column: 3 } })
  expect(opened.output.size).toBe(0)
})

it('says what the tool notes, and where', async () => {
  const { opened } = await run('sql-format', 'select 1;\nselect a||b', [['dialect', 'transactsql']])
  expect(opened.refusal).toBeNull()
  expect(opened.notes).toMatchObject([
    { message: expect.stringMatching(/^A statement is left as it is/), position: { line: 2, column: 9 } },
  ])
  expect((await run('sql-format', 'select 1')).opened.notes).toEqual([])
})

it('says which option is wrong', async () => {
  const { opened } = await run('json-validate', '{}', [['errors_max', '0']])
  expect(opened.refusal?.message).toMatch(/^errors_max: /)
})

it('output that is not text has its bytes and no views', async () => {
  const { opened } = await run('base64-decode', '/wAB')
  expect(opened).toMatchObject({ isBinary: true, parts: [], refusal: null })
  expect([...new Uint8Array(await opened.output.arrayBuffer())]).toEqual([0xff, 0, 1])
})

it('tells that all input has been read before the output is shown', async () => {
  const told: Progress[] = []
  await readOutput({ tool: 'json-minify', options: [], input: new Blob(['[ 1 ]']) }, (progress) =>
    told.push(progress),
  )
  expect(told.at(-1)).toEqual({ phase: 'indexing', receivedBytes: 5, totalBytes: 5 })
})
