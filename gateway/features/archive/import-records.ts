import type { z } from 'zod'
import { callUnary } from '#libs/grpc/call.js'
import { type HistoryEntry, ImportedEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import { type ImportedItem, ImportedKind } from '#proto/snipkeep/content/v1/import_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { shortCall } from '../../http/request-context.js'
import { dataPath, type ListName } from './archive-format.js'
import { archivedShare, archivedSnippet } from './archive-schemas.js'
import { importRevision, importShare, importSnippet } from './import-items.js'
import { linesOf, parseEntry, parseRecord } from './import-lists.js'
import { concernsItem } from './import-results.js'
import { type Announced, countItems, type ImportRun, type SkipReason } from './import-run.js'

type SnippetRecord = z.infer<typeof archivedSnippet>
type ShareRecord = z.infer<typeof archivedShare>

const perCall = 100

async function findImported(
  { parts, context, caller }: ImportRun,
  kind: ImportedKind,
  records: readonly { readonly id: string; readonly sha256: string }[],
): Promise<readonly ImportedItem[]> {
  const { imports } = parts.upstreams
  const origins = records.map(({ id, sha256 }) => ({ kind, id, sha256: Buffer.from(sha256, 'hex') }))
  const request = { ownerId: caller.accountId, origins }
  return (await callUnary(imports, imports.findImported, request, shortCall(context))).items
}

function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += perCall) yield items.slice(at, at + perCall)
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

async function readSnippets(run: ImportRun, path: string, lines: readonly string[]): Promise<void> {
  const records = lines.map((line) => parseRecord(archivedSnippet, path, line))
  countItems(
    run,
    records.reduce((sum, { revisions }) => sum + 1 + revisions.length, 0),
  )
  for (const some of slicesOf(records)) {
    const found = await findImported(run, ImportedKind.IMPORTED_KIND_SNIPPET, some)
    for (const [index, record] of some.entries()) {
      const item = found[index]
      if (item !== undefined) run.expected.push(...announceSnippet(record, item))
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

async function readShares(run: ImportRun, path: string, lines: readonly string[]): Promise<void> {
  const records = lines.map((line) => parseRecord(archivedShare, path, line))
  countItems(run, records.length)
  for (const some of slicesOf(records)) {
    const found = await findImported(run, ImportedKind.IMPORTED_KIND_SHARE, some)
    for (const [index, record] of some.entries()) {
      const item = found[index]
      if (item !== undefined) announceShare(run, record, item)
    }
  }
}

async function importEntries(run: ImportRun, path: string, entries: readonly HistoryEntry[]): Promise<void> {
  const { parts, context, caller, results, dryRun } = run
  const { history } = parts.upstreams
  const owner = { ownerId: caller.accountId, plan: planMessage(caller.plan), planVersion: caller.planVersion }
  const request = { ...owner, entries: [...entries], dryRun }
  try {
    const answer = await callUnary(history, history.importEntries, request, shortCall(context))
    for (const [index, { id }] of entries.entries()) {
      const result = answer.results[index]
      if (result === ImportedEntry.IMPORTED_ENTRY_NOT_KEPT)
        results.add(path, 'skipped', { id, reason: 'plan' })
      else results.add(path, result === ImportedEntry.IMPORTED_ENTRY_EXISTS ? 'exists' : 'created', { id })
    }
  } catch (error) {
    // One that is not valid shall not take the others with it.
    if (concernsItem(error) && entries.length > 1)
      for (const entry of entries) await importEntries(run, path, [entry])
    else results.refuse(path, error)
  }
}

async function readHistory(run: ImportRun, path: string, lines: readonly string[]): Promise<void> {
  countItems(run, lines.length)
  const entries = lines.map((line) => parseEntry(path, line))
  for (const some of slicesOf(entries)) await importEntries(run, path, some)
}

const readers: Readonly<
  Partial<Record<ListName, (run: ImportRun, path: string, lines: readonly string[]) => Promise<void>>>
> = { snippets: readSnippets, shares: readShares, history: readHistory }

/** Reads a list: announces its data, or imports its entries. */
export async function readList(run: ImportRun, list: ListName, path: string, text: string): Promise<void> {
  run.missing.push(...run.expected.splice(0).map(({ path }) => path))
  countItems(run, 1)
  await readers[list]?.(run, path, linesOf(text))
}
