import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { ImportFormatError } from './imported-item.js'
import { gistIds, parseGist } from './parse-gist.js'

const folder = corpusFolder('pygithub', 'optional')
const missing = folder === null ? ' (skipped: the corpus is not here; npm run corpora fetches it)' : ''

interface RecordedGist {
  readonly id: string
  readonly description: string | null
  readonly files: Readonly<Record<string, { readonly size: number; readonly content?: string }>>
}

const linesPerRequest = 11
const [pathLine, bodyLine] = [4, 9]

/** What GitHub sent about gists from 2012 to 2018, as the tests of PyGithub replay it. */
function recordedResponses(): readonly (RecordedGist | readonly RecordedGist[])[] {
  if (folder === null) throw new Error('The responses are missing.')
  const requests = readdirSync(folder).flatMap((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    const starts = [...lines.keys()].filter((index) => index % linesPerRequest === 0)
    return starts.map((start) => [lines[start + pathLine] ?? '', lines[start + bodyLine] ?? ''] as const)
  })
  return requests
    .filter(([path, body]) => /^\/(users\/\w+\/)?gists(?!.*comments)/.test(path) && body.length > 2)
    .map(([, body]) => JSON.parse(body))
}

describe.skipIf(folder === null)(`gists that GitHub really sent${missing}`, () => {
  const responses = folder === null ? [] : recordedResponses()
  const gists = responses.flatMap((one) => ('id' in one ? [one] : []))
  const lists = responses.flatMap((one) => ('id' in one ? [] : [one]))

  it('are read with every file and every byte', () => {
    const whole = gists.filter(({ files }) => Object.keys(files).length > 0)
    expect(whole).toHaveLength(18)
    expect(new Set(whole.map(({ id }) => id)).size).toBe(5)
    for (const { id, description, files } of whole) {
      const item = parseGist({ id, description, files })
      const [first = ''] = Object.keys(files)
      expect([item.name, item.title]).toEqual([`import-gist-${id}`, description || first])
      const sizes = item.files.map((file) => [file.name, 'text' in file && Buffer.byteLength(file.text)])
      expect(sizes).toEqual(Object.entries(files).map(([name, { size }]) => [name, size]))
    }
  })

  it('are refused without their files, as after a fork', () => {
    const empty = gists.filter(({ files }) => Object.keys(files).length === 0)
    expect(empty).toHaveLength(1)
    for (const gist of empty) expect(() => parseGist(gist)).toThrow('has no files')
  })

  it('are found in lists, which have no contents', () => {
    expect(lists.map((list) => gistIds(list).length)).toEqual([5, 3, 2, 30, 30, 30, 30, 5, 4, 2])
    for (const gist of lists.flat()) expect(() => parseGist(gist)).toThrow(ImportFormatError)
  })
})
