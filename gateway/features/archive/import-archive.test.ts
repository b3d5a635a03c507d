import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { ImportedEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import { itemsMax } from './archive-format.js'
import { countEntries, entriesMax, type ImportRun } from './import-run.js'
import {
  added,
  archiveOf,
  data,
  dataFile,
  entry,
  fieldsOf,
  history,
  idOf,
  imported,
  problemsOf,
  resultsOf,
  type Services,
  snippet,
} from './testing/import-fixture.js'

/** The time of this process's code since then, whatever else the machine does. */
function processorMs(before: NodeJS.CpuUsage): number {
  return process.cpuUsage(before).user / 1_000
}

describe('an import', () => {
  it('needs neither time nor memory for a manifest of millions of elements', async () => {
    const manifest = `{"files":[${'0,'.repeat(4_000_000)}0],"gone":[]}`
    const before = process.cpuUsage()
    const { error } = await imported(archiveOf([], manifest))
    expect(error).toMatchObject({ code: 'archive_invalid' })
    expect(processorMs(before)).toBeLessThan(1_500)
    const many = `{"files":[${'{},'.repeat(itemsMax)}{}],"gone":[]}`
    expect((await imported(archiveOf([], many))).error).toMatchObject({ code: 'archive_invalid' })
  })

  it('stops at the first bad element of a manifest', async () => {
    const manifest = `{"files":[${'{},'.repeat(itemsMax - 1)}{}],"gone":[]}`
    const before = process.cpuUsage()
    const { error } = await imported(archiveOf([], manifest))
    expect(error).toMatchObject({ code: 'archive_invalid', message: expect.stringContaining('record') })
    expect(processorMs(before)).toBeLessThan(400)
  })

  it.each([
    ['a version that no change could follow', { version: 1_000_000_000 }],
    ['a time in the year 0', { created_at: '0001-01-01T00:00:00+00:01' }],
    ['a time in the year 0 itself', { created_at: '0000-06-01T00:00:00Z' }],
    ['a time in the year 10000', { updated_at: '9999-12-31T23:59:59-00:01' }],
    ['more tags than a snippet may have', { tags: Array(21).fill('t') }],
    ['a title longer than any', { title: 'x'.repeat(401) }],
  ])('refuses an archive that has %s', async (_name, more) => {
    const archive = archiveOf([['snippets.ndjson', `${snippet(1, '{}', 1, [], more)}\n`], dataFile(1, '{}')])
    expect(await imported(archive)).toMatchObject({ error: { code: 'archive_invalid' }, lines: [] })
  })

  it('takes the first time and the highest version there may be', async () => {
    const record = snippet(1, '{}', 999_999_999, [], { created_at: '0001-01-01T00:00:00Z' })
    const archive = archiveOf([['snippets.ndjson', `${record}\n`], dataFile(1, '{}')])
    expect(resultsOf(await imported(archive))).toEqual(['created'])
  })

  it('sends history in messages that are far below what a message may have', async () => {
    const sizes: number[] = []
    const metadata = { text: 'x'.repeat(16_000) }
    const lines = Array.from({ length: 120 }, (_, n) => entry(n, { metadata }))
    const { error, lines: results } = await imported(archiveOf(history(lines)), {
      importEntries(request) {
        sizes.push(request.entries.reduce((sum, one) => sum + (one.metadata?.length ?? 0), 0))
        return added.importEntries(request)
      },
    })
    expect([error, results.length]).toEqual([null, 120])
    expect(Math.max(...sizes)).toBeLessThanOrEqual(262_144)
    expect(sizes.length).toBeLessThan(10)
  })

  it('names a refused history entry, and goes on with the others', async () => {
    const result = await imported(archiveOf(history([entry(1), entry(2), entry(3)])), {
      importEntries(request) {
        if (request.entries.some(({ id }) => id === idOf(2)))
          throw validationFailed([{ pointer: '/tool', code: 'invalid_format', detail: 'Bad.' }])
        return added.importEntries(request)
      },
    })
    expect(result.lines).toMatchObject([
      { result: 'created', id: idOf(1) },
      { result: 'refused', id: idOf(2) },
      { result: 'created', id: idOf(3) },
    ])
  })

  it('repeats no list of errors for the versions of a snippet, and tells their cause', async () => {
    const versions = Array.from({ length: 500 }, (_, n) => n + 1)
    const record = snippet(
      1,
      '{}',
      501,
      versions.map((version) => ({ ...fieldsOf('{}'), version })),
    )
    const archive = archiveOf([
      ['snippets.ndjson', `${record}\n`],
      dataFile(1, '{}'),
      ...versions.map((version) => dataFile(1, '{}', version)),
    ])
    const errors = Array.from({ length: 40 }, (_, n) => ({
      ...{ pointer: `/tags/${n}`, code: 'invalid_characters', detail: `tags/${n} must be printable.` },
    }))
    const result = await imported(archive, {
      importSnippet() {
        throw validationFailed(errors)
      },
    })
    const [first, ...others] = problemsOf(result)
    expect([resultsOf(result).length, new Set(resultsOf(result))]).toEqual([501, new Set(['refused'])])
    expect(first?.errors).toHaveLength(40)
    const brief = { code: 'validation_failed', detail: first?.detail }
    expect(others.every((one) => JSON.stringify(one) === JSON.stringify(brief))).toBe(true)
    expect(result.text.length).toBeLessThan(150_000)
  })

  it('takes the small versions of a snippet if one of them is too large', async () => {
    const [small, big] = [data(100), data(2_000)]
    const versions = [big, small].map((text, n) => ({ ...fieldsOf(text), version: 2 - n }))
    const archive = archiveOf([
      ['snippets.ndjson', `${snippet(1, small, 3, versions)}\n`],
      ...[dataFile(1, small), dataFile(1, big, 2), dataFile(1, small, 1)],
    ])
    const result = await imported(archive)
    expect(resultsOf(result)).toEqual(['created', 'refused', 'created'])
    expect(problemsOf(result)[1]?.code).toBe('data_too_large')
  })

  it('takes what fits after something that does not', async () => {
    const sizes = [100, 900, 950, 200, 900]
    const texts = sizes.map(data)
    const archive = archiveOf([
      ['snippets.ndjson', texts.map((text, n) => `${snippet(n, text)}\n`).join('')],
      ...texts.map((text, n) => dataFile(n, text)),
    ])
    const tried: string[] = []
    const result = await imported(archive, {
      importSnippet(request) {
        tried.push(request.id)
        if ([1, 2, 4].some((n) => request.id === idOf(n)))
          throw new DomainError('forbidden', 'storage_limit_reached', 'Full.')
        return added.importSnippet(request)
      },
    })
    expect(resultsOf(result)).toEqual(['created', 'refused', 'refused', 'created', 'refused'])
    // As large as what did not fit before.
    expect(tried).toEqual([0, 1, 3].map(idOf))
  })

  it('of more than can be imported at once goes on where the one before ended', async () => {
    const archive = archiveOf(history(Array.from({ length: 1_000 }, (_, n) => entry(n))))
    const known = new Set<string>()
    const importEntries: Services['importEntries'] = ({ entries }) => ({
      results: entries.map(({ id }) => {
        const { IMPORTED_ENTRY_EXISTS: exists, IMPORTED_ENTRY_ADDED: fresh } = ImportedEntry
        const result = known.has(id) ? exists : fresh
        known.add(id)
        return result
      }),
    })
    const first = await imported(archive, { importEntries }, itemsMax - 700)
    expect(first.error).toMatchObject({ code: 'archive_too_large', details: { limit: itemsMax } })
    expect(known.size).toBe(800)
    const second = await imported(archive, { importEntries }, itemsMax - 200)
    expect([second.error, known.size]).toEqual([null, 1_000])
    expect((await imported(archive, { importEntries }, itemsMax)).error).toBeNull()
  })

  it('creates no snippet beyond what can be imported at once', async () => {
    const archive = archiveOf([
      ['snippets.ndjson', `${snippet(1, '{}')}\n${snippet(2, '{}')}\n`],
      ...[dataFile(1, '{}'), dataFile(2, '{}')],
    ])
    const { error, lines } = await imported(archive, {}, itemsMax - 1)
    expect([error, lines.length]).toMatchObject([{ code: 'archive_too_large' }, 1])
  })

  it('has a limit for what exists, too', () => {
    const run = { entries: 0 } as ImportRun
    countEntries(run, entriesMax)
    expect(() => countEntries(run, 1)).toThrow(`at most ${entriesMax} items`)
  })

  it('lets others have their turn while it reads a long list', async () => {
    const records = Array.from({ length: 30 }, (_, n) => {
      const versions = Array.from({ length: 1_000 }, (_, at) => ({ ...fieldsOf('{}'), version: at + 1 }))
      return `${snippet(n, '{}', 1_001, versions.slice(0, 900))}\n`
    })
    const list = records.join('').slice(0, 5_000_000)
    const text = list.slice(0, list.lastIndexOf('\n') + 1)
    let turns = 0
    const turn = (): void => {
      turns += 1
      waiting = setImmediate(turn)
    }
    let waiting = setImmediate(turn)
    const { error } = await imported(archiveOf([['snippets.ndjson', text]]))
    clearImmediate(waiting)
    expect(error).toMatchObject({ code: 'archive_incomplete' })
    // A chunk of 64 KiB may end a turn early or late.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / 131_072))
  })
})

describe('an import of history alone', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => vi.useRealTimers())

  it('ends once its key is revoked', async () => {
    let calls = 0
    const lines = Array.from({ length: 1_000 }, (_, n) => entry(n))
    const { error } = await imported(archiveOf(history(lines)), {
      importEntries(request) {
        calls += 1
        vi.advanceTimersByTime(10_000)
        return added.importEntries(request)
      },
      async reauthenticate() {
        throw new DomainError('unauthenticated', 'invalid_api_key', 'Revoked.')
      },
    })
    expect(error).toMatchObject({ code: 'invalid_api_key' })
    expect(calls).toBe(3)
  })
})
