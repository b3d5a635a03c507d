import type { z } from 'zod'
import { callUnary } from '#libs/grpc/call.js'
import type { TarEntry } from '#libs/tar/read-tar.js'
import { type HistoryEntry, ImportedEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import { type ImportedItem, ImportedKind } from '#proto/snipkeep/content/v1/import_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { shortCall } from '../../request/request-context.js'
import { dataPath, type ListName } from './archive-format.js'
import { archivedShare, archivedSnippet } from './archive-schemas.js'
import { readContracts, skipChecks } from './import-contracts.js'
import { findImported, importRevision, importShare, importSnippet } from './import-items.js'
import { type FileDigest, type ListLine, parseEntry, parseRecord, readLinesOf } from './import-lists.js'
import { concernsItem } from './import-results.js'
import {
  type Announced,
  checkImported,
  countEntries,
  giveUp,
  type ImportRun,
  plan,
  type SkipReason,
} from './import-run.js'

type SnippetRecord = z.infer<typeof archivedSnippet>
type ShareRecord = z.infer<typeof archivedShare>

const perCall = 100
/** Of the lines of one call, far below what a message may have. */
const bytesPerCall = 262_144

type Lines = AsyncIterable<ListLine>

/** Records by the call that they are sent in. */
async function* batchesOf<Item>(
  lines: Lines,
  parse: (text: string) => Item,
): AsyncGenerator<readonly Item[], void, undefined> {
  let batch: Item[] = []
  let sum = 0
  for await (const { text, bytes } of lines) {
    if (batch.length === perCall || (batch.length > 0 && sum + bytes > bytesPerCall)) {
      yield batch
      batch = []
      sum = 0
    }
    batch.push(parse(text))
    sum += bytes
  }
  if (batch.length > 0) yield batch
}

function announced(
  path: string,
  { size_bytes: sizeBytes, sha256 }: { readonly size_bytes: number; readonly sha256: string },
  ids: Pick<Announced, 'id' | 'origin'>,
  store: Announced['store'],
): Announced {
  return { path, sizeBytes, sha256, ...ids, store }
}

function announceSnippet(
  record: SnippetRecord,
  { id, exists, versions }: ImportedItem,
): readonly Announced[] {
  const known = new Set(versions)
  const ids = { id, origin: record.id }
  const current = announced(
    dataPath('snippets', record.id),
    record,
    ids,
    exists ? null : (target, data) => importSnippet(target, record, data),
  )
  const earlier = record.revisions.map((one) =>
    announced(
      dataPath('snippets', record.id, one.version),
      one,
      ids,
      known.has(one.version) ? null : (target, data) => importRevision(target, id, one, data),
    ),
  )
  return [current, ...earlier]
}

async function readSnippets(run: ImportRun, path: string, lines: Lines): Promise<void> {
  for await (const some of batchesOf(lines, (line) => parseRecord(archivedSnippet, path, line))) {
    countEntries(
      run,
      some.reduce((sum, { revisions }) => sum + 1 + revisions.length, 0),
    )
    const found = await findImported(run, ImportedKind.IMPORTED_KIND_SNIPPET, some)
    for (const [index, record] of some.entries()) {
      const item = found[index]
      if (item === undefined) continue
      run.expected.push(...announceSnippet(record, item))
      if (!item.exists) plan(run, item.id, record.name)
    }
  }
}

/** Why a share cannot be published again. An archive has no passwords, and without its own it would be public. */
function skipReason({ available, gated }: ShareRecord): SkipReason | null {
  if (gated?.views_left === 0) return 'used_up'
  if (!available) return 'expired'
  return gated?.password === true ? 'password' : null
}

function announceShare(run: ImportRun, record: ShareRecord, { id, exists }: ImportedItem): void {
  const path = dataPath('shares', record.id)
  const reason = skipReason(record)
  if (!record.available) {
    run.results.add(path, 'skipped', { reason: reason ?? 'expired' })
    return
  }
  const store: Announced['store'] = exists
    ? null
    : (reason ?? ((target, data) => importShare(target, record, data)))
  run.expected.push(announced(path, record, { id, origin: record.id }, store))
}

async function readShares(run: ImportRun, path: string, lines: Lines): Promise<void> {
  for await (const some of batchesOf(lines, (line) => parseRecord(archivedShare, path, line))) {
    countEntries(run, some.length)
    const found = await findImported(run, ImportedKind.IMPORTED_KIND_SHARE, some)
    for (const [index, record] of some.entries()) {
      const item = found[index]
      if (item !== undefined) announceShare(run, record, item)
    }
    await run.results.room()
  }
}

async function importEntries(run: ImportRun, path: string, entries: readonly HistoryEntry[]): Promise<void> {
  run.caller = await run.currentCaller()
  const { dependencies, context, caller, results, dryRun } = run
  const { history } = dependencies.upstreams
  const owner = { ownerId: caller.accountId, plan: planMessage(caller.plan), planVersion: caller.planVersion }
  const request = { ...owner, entries: [...entries], dryRun }
  try {
    const response = await callUnary(history, history.importEntries, request, shortCall(context))
    for (const [index, { id }] of entries.entries()) {
      const result = response.results[index]
      if (result === ImportedEntry.IMPORTED_ENTRY_NOT_KEPT)
        results.add(path, 'skipped', { id, reason: 'plan' })
      else results.add(path, result === ImportedEntry.IMPORTED_ENTRY_EXISTS ? 'exists' : 'created', { id })
    }
  } catch (error) {
    // One that is not valid shall not take the others with it.
    if (concernsItem(error) && entries.length > 1)
      for (const entry of entries) await importEntries(run, path, [entry])
    else results.refuse(path, error, { id: entries[0]?.id })
  }
}

async function readHistory(run: ImportRun, path: string, lines: Lines): Promise<void> {
  for await (const some of batchesOf(lines, (line) => parseEntry(path, line))) {
    countEntries(run, some.length)
    await importEntries(run, path, some)
    checkImported(run)
    await run.results.room()
  }
}

/** What is not imported. */
async function skipLines(_run: ImportRun, _path: string, lines: Lines): Promise<void> {
  for await (const _line of lines);
}

const readers: Readonly<
  Partial<Record<ListName, (run: ImportRun, path: string, lines: Lines) => Promise<void>>>
> = {
  snippets: readSnippets,
  contracts: readContracts,
  checks: skipChecks,
  shares: readShares,
  history: readHistory,
}

/** Reads a list: announces its data, or imports its entries. */
export async function readList(run: ImportRun, list: ListName, entry: TarEntry): Promise<FileDigest> {
  giveUp(run, run.expected.splice(0))
  countEntries(run, 1)
  const read = readers[list] ?? skipLines
  const announces = read === readSnippets || read === readShares || read === skipChecks
  await run.memory.hold(announces ? entry.sizeBytes : 0)
  return readLinesOf(entry, (lines) => read(run, entry.path, lines))
}
