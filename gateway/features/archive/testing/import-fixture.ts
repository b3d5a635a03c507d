import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import { readTar } from '#libs/tar/read-tar.js'
import { type TarFile, writeTar } from '#libs/tar/write-tar.js'
import { ImportedEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import type { ByteSource } from '../../../body/body-bytes.js'
import type { Caller, RequestContext } from '../../../request/request-context.js'
import type { JobOrder } from '../../tools/jobs.js'
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

/** What content, activity and tools do. */
export interface Services {
  /** Whether a snippet is there, by its id. */
  exists(id: string): boolean
  getContract(request: { id: string }): unknown
  importContract(request: { id: string; rules: string }): unknown
  runJob(order: JobOrder): ByteSource
  importEntries(request: { entries: { id: string; metadata?: Buffer }[] }): unknown
  importSnippet(request: { id: string }): unknown
  importRevision(request: object): unknown
  reauthenticate(): Promise<Caller>
  readSnippet(): Promise<object>
  spend(): Promise<() => void>
}

export const added: Services = {
  exists: () => false,
  getContract() {
    throw new DomainError('not-found', 'not_found', 'This snippet has no contract.')
  },
  importContract: () => ({ existed: false }),
  runJob() {
    const chunks = [Buffer.from('{}')]
    return { next: async () => chunks.shift() ?? null, stop: () => {} }
  },
  async readSnippet() {
    throw new DomainError('not-found', 'not_found', 'This snippet does not exist.')
  },
  spend: async () => () => {},
  importEntries: ({ entries }) => ({ results: entries.map(() => ImportedEntry.IMPORTED_ENTRY_ADDED) }),
  importSnippet: ({ id }) => ({ id, existed: false, nameTaken: false }),
  importRevision: () => ({ result: 1 }),
  reauthenticate: async () => caller,
}
/** A caller who is authenticated by this. */
export const callerBy = (provenBy: object, plan = 'pro') =>
  ({ accountId: idOf(0), plan, provenBy }) as unknown as Caller
const caller = callerBy({ kind: 'api-key', id: idOf(9), name: 'nightly', scopes: ['write'] })
/** The number of contracts that Free has, and that the account has already. */
export const [contractsMax, contractsBefore] = [3, 1]

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
  by: Caller = caller,
  dryRun = false,
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
    plans: { free: { ...limits, contracts: contractsMax }, pro: { ...limits, contracts: null } },
    ...{ shareSecrets: 'off', tools: true, compareBytesMax: 1_000_000, runJob: services.runJob },
    documentReads: { pointerBudget: { spend: services.spend } },
    readSnippet: services.readSnippet,
    reauthenticate: by === caller ? services.reauthenticate : async () => by,
    upstreams: {
      history: { importEntries: unary(services.importEntries) },
      imports: {
        findImported: unary(({ origins }: { origins: { id: string }[] }) => ({
          items: origins.map(({ id }) => ({ id, exists: services.exists(id), versions: [] })),
        })),
        importSnippet: unary(services.importSnippet),
        importRevision: unary(services.importRevision),
        importContract: unary(services.importContract),
      },
      contracts: { getContract: unary(services.getContract) },
      usage: { getUsage: unary(() => ({ contracts: contractsBefore })) },
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
  const run = { dependencies, context, caller: by, results, memory, dryRun, allowSecrets: undefined }
  const error = await importArchive(run, tar, (thrown) => thrown).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  results.finish(dryRun)
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
