import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { readTar } from '#libs/tar/read-tar.js'
import { type TarFile, writeTar } from '#libs/tar/write-tar.js'
import { ImportedEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import type { Caller, RequestContext } from '../../../request/request-context.js'
import { importArchive } from '../import-archive.js'
import type { ImportDependencies } from '../import-items.js'
import { createImportResults } from '../import-results.js'

export type Files = readonly (readonly [string, string])[]
type Call = (error: unknown, response?: unknown) => void

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
export const idOf = (n: number): string => String(n).padStart(22, '0')
const time = '2026-01-01T00:00:00Z'

/** The account, these files, and the manifest that an export would write. */
export function archiveOf(files: Files, manifest?: string): Files {
  const all: Files = [['account.json', '{"format":"snipkeep-export","version":1}'], ...files]
  const listed = all
    .filter(([path]) => !path.startsWith('data/'))
    .map(([path, text]) => ({ path, size_bytes: Buffer.byteLength(text), sha256: sha256Of(text) }))
  return [...all, ['manifest.json', manifest ?? JSON.stringify({ files: listed, gone: [] })]]
}

async function tarOf(files: Files): Promise<Buffer> {
  async function* all(): AsyncGenerator<TarFile> {
    for (const [path, text] of files) {
      const bytes = Buffer.from(text)
      yield { path, sizeBytes: bytes.length, content: [bytes] }
    }
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of writeTar(all(), new Date(0))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Only what is used of a response. */
function fakeResponse() {
  const sent: string[] = []
  return Object.assign(new EventEmitter(), {
    ...{ headersSent: false, destroyed: false, writableLength: 0, sent },
    writeHead() {},
    write: (text: string) => sent.push(text),
    end: (text = '') => sent.push(text),
  })
}

/** What content and activity do. */
export interface Services {
  importEntries(request: { entries: { id: string; metadata?: Buffer }[] }): unknown
  importSnippet(request: { id: string }): unknown
  importRevision(request: object): unknown
  reauthenticate(): Promise<Caller>
}

export const added: Services = {
  importEntries: ({ entries }) => ({ results: entries.map(() => ImportedEntry.IMPORTED_ENTRY_ADDED) }),
  importSnippet: ({ id }) => ({ id, existed: false, nameTaken: false }),
  importRevision: () => ({ result: 1 }),
  reauthenticate: async () => caller,
}
const caller = { accountId: idOf(0), plan: 'pro', provenBy: { kind: 'api-key' } } as unknown as Caller

export interface Imported {
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly text: string
  readonly error: unknown
}

/** Imports an archive into fake services. */
export async function imported(
  files: Files,
  given: Partial<Services> = {},
  createdBefore = 0,
): Promise<Imported> {
  const services = { ...added, ...given }
  const unary =
    (act: (request: never) => unknown) =>
    (request: never, _metadata: object, _options: object, done: Call) => {
      try {
        done(null, act(request))
      } catch (error) {
        done(error)
      }
    }
  const limits = { dataBytes: 1_000, storedBytes: null }
  const dependencies = {
    plans: { free: limits, pro: limits },
    shareSecrets: 'off',
    reauthenticate: services.reauthenticate,
    upstreams: {
      history: { importEntries: unary(services.importEntries) },
      imports: {
        findImported: unary(({ origins }: { origins: { id: string }[] }) => ({
          items: origins.map(({ id }) => ({ id, exists: false, versions: [] })),
        })),
        importSnippet: unary(services.importSnippet),
        importRevision: unary(services.importRevision),
      },
    },
  } as unknown as ImportDependencies
  const response = fakeResponse()
  const results = createImportResults(response as unknown as ServerResponse, 'r')
  const context = { requestId: 'r', signal: new AbortController().signal } as unknown as RequestContext
  const bytes = await tarOf(files)
  let at = 0
  const tar = readTar(async () => {
    const chunk = bytes.subarray(at, at + 65_536)
    at += chunk.length
    return chunk.length === 0 ? null : chunk
  })
  const memory = { hold: async () => {} }
  Object.assign(results.counts(), { created: createdBefore })
  const run = { dependencies, context, caller, results, memory, dryRun: false, allowSecrets: undefined }
  const error = await importArchive(run, tar, (thrown) => thrown).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  results.finish(false)
  const text = response.sent.join('')
  return {
    text,
    error,
    lines: text
      .trim()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  }
}

export const entry = (n: number, more: object = {}): string =>
  JSON.stringify({ id: idOf(n), tool: 't', action: null, title: null, created_at: time, ...more })
export const history = (lines: readonly string[]): Files => [
  ['history.ndjson', lines.map((line) => `${line}\n`).join('')],
]
export const fieldsOf = (text: string) => ({
  ...{ tool: 't', title: 'T', tags: [], size_bytes: Buffer.byteLength(text), sha256: sha256Of(text) },
  created_at: time,
})
export const snippet = (
  n: number,
  text: string,
  version = 1,
  revisions: readonly object[] = [],
  more: object = {},
) =>
  JSON.stringify({
    ...{ id: idOf(n), name: null, version, updated_at: time, ...fieldsOf(text), revisions, ...more },
  })
export const dataFile = (n: number, text: string, version?: number) =>
  [`data/snippets/${idOf(n)}${version === undefined ? '' : `@${version}`}.json`, text] as const
export const data = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`

export const resultsOf = ({ lines }: Imported) => lines.map(({ result }) => result)
export const problemsOf = ({ lines }: Imported) =>
  lines.map(({ problem }) => problem as { code: string; detail: string; errors?: object[] } | undefined)
