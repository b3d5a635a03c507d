import { DomainError } from '#libs/core/domain-error.js'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import type { Revision } from '#proto/snipkeep/content/v1/revision_service.js'
import { type Share, ShareState } from '#proto/snipkeep/content/v1/share_service.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import { planMessage } from '#shared/plan-messages.js'
import type { Caller } from '../../request/request-context.js'
import { apiKeyResponse } from '../api-keys/api-key-schemas.js'
import { eventResponse } from '../events/event-schemas.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { historyEntryText } from '../history/history-schemas.js'
import { revisionSummary } from '../revisions/revision-response.js'
import { shareResponses } from '../shares/share-response.js'
import { snippetSummary } from '../snippets/snippet-response.js'
import { publisherResponse } from '../trusted-publishers/trusted-publisher-schemas.js'
import { dataPath } from './archive-format.js'

/** Stored data that a record names. */
export interface ExportedData {
  readonly path: string
  readonly sizeBytes: number
  /** `null` if it is gone by now. */
  load(): Promise<Snippet['data'] | null>
}

/** A line of a list, and the data that it names. */
export interface ExportedRecord {
  readonly line: string
  /** Of the line, and of data that is already in memory. */
  readonly heldBytes: number
  readonly data: readonly ExportedData[]
}

/** What an export needs. */
export type ExportDependencies = Pick<
  FeatureDependencies,
  | 'archiveQuota'
  | 'assertions'
  | 'documentReads'
  | 'everyoneIsPro'
  | 'loadShare'
  | 'publicBaseUrl'
  | 'reauthenticate'
  | 'shareBaseUrl'
  | 'upstreams'
>

/** Whose records to export. */
export interface ExportSource {
  readonly dependencies: ExportDependencies
  readonly caller: Caller
  readonly call: CallContext
  /** @throws DomainError once the caller may no longer read. */
  readonly currentCaller: () => Promise<Caller>
  /** Older records are left out; `null` for none. */
  readonly since: Date | null
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string
}

/** Of each list. */
export const pageSize = 100
/** Data in a page of snippets. */
const pageBytesMax = 1_048_576
/** How many calls an export makes at once. */
export const callsMax = 8
/** Shares of one batch, whose data takes up to 2 MiB. */
const sharesPerBatch = 32

/** The pages of a list, one after the other. */
export async function* pagesOf<Item>(
  read: (cursor: string) => Promise<ListPage<Item>>,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = await read(cursor)
    yield items
    if (nextCursor === '') return
    cursor = nextCursor
  }
}

/** Items in slices of this size. */
export function* slicesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** A line with what it and its data hold in memory. */
export function record(line: string, data: readonly ExportedData[] = [], dataBytes = 0): ExportedRecord {
  return { line, heldBytes: Buffer.byteLength(line) + dataBytes, data }
}

/** Of data that is already in memory. */
export function inlineBytes(data: Snippet['data']): number {
  return data?.$case === 'inline' ? data.value.length : 0
}

function digestOf(sha256: Buffer | undefined): string {
  if (sha256 === undefined) throw new Error('content returned a list without digests')
  return sha256.toString('hex')
}

/** For `catch`: what is gone is `null`. */
export function orGone(error: unknown): null {
  if (error instanceof DomainError && (error.kind === 'not-found' || error.kind === 'gone')) return null
  throw error
}

/** Whether an item is as new as what is exported. */
export function isSince(time: Date | undefined, since: Date | null): boolean {
  return since === null || (time !== undefined && time.getTime() >= since.getTime())
}

async function earlierVersions(
  { dependencies, caller, call }: ExportSource,
  { id, revision: current = 0 }: Snippet,
): Promise<readonly Revision[]> {
  const { revisions: client } = dependencies.upstreams
  const found: Revision[] = []
  const read = async (cursor: string): Promise<ListPage<Revision>> => {
    const request = { ownerId: caller.accountId, id, pageSize, cursor }
    const { revisions, nextCursor } = await callUnary(client, client.listRevisions, request, call)
    return { items: revisions, nextCursor }
  }
  for await (const page of pagesOf(read)) found.push(...page.filter(({ version }) => version < current))
  return found
}

async function snippetRecord(source: ExportSource, snippet: Snippet): Promise<ExportedRecord> {
  const { id, name, revision: version, sha256, sizeBytes, data } = snippet
  const { dependencies, caller, call } = source
  const { revisions: client } = dependencies.upstreams
  // It may be deleted at this moment.
  const earlier = (await earlierVersions(source, snippet).catch(orGone)) ?? []
  const line = JSON.stringify({
    ...{ ...snippetSummary(snippet), name: name === '' ? null : name, version, sha256: digestOf(sha256) },
    revisions: earlier.map((one) => ({ ...revisionSummary(one), sha256: digestOf(one.sha256) })),
  })
  const ofVersion = (one: Revision): ExportedData => ({
    path: dataPath('snippets', id, one.version),
    sizeBytes: one.sizeBytes,
    async load() {
      const request = { ownerId: caller.accountId, id, version: one.version, includeData: true }
      const found = await callUnary(client, client.getRevision, request, call).catch(orGone)
      return found?.revision?.data ?? null
    },
  })
  const current = { path: dataPath('snippets', id), sizeBytes, load: async () => data ?? null }
  return record(line, [current, ...earlier.map(ofVersion)], inlineBytes(data))
}

/** Snippets with their current data, and their earlier versions. */
export async function* exportSnippets(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call, since } = source
  const { snippets: client } = dependencies.upstreams
  const filter = { ownerId: caller.accountId, tool: '', tags: [], query: '', knownEtag: '' }
  const read = async (cursor: string): Promise<ListPage<Snippet>> => {
    const request = { ...filter, cursor, pageSize, includeData: true, dataBytesMax: pageBytesMax }
    const { snippets, nextCursor } = await callUnary(client, client.listSnippets, request, call)
    return { items: snippets, nextCursor }
  }
  for await (const page of pagesOf(read)) {
    const wanted = page.filter(({ updatedAt }) => isSince(updatedAt, since))
    for (const some of slicesOf(wanted, callsMax))
      yield* await Promise.all(some.map((snippet) => snippetRecord(source, snippet)))
  }
}

/** A gate is open to its owner, and no view is counted. */
function loadOwnShare(
  { dependencies, caller, call }: ExportSource,
  id: string,
): Promise<{ share?: Share | undefined }> {
  if (!isGatedShareId(id)) return dependencies.loadShare({ id, includeData: true }, call)
  const { shares: client } = dependencies.upstreams
  const request = { id, includeData: true, grant: '', accountId: caller.accountId }
  return callUnary(client, client.getGatedShare, request, call)
}

async function shareRecord(source: ExportSource, share: Share): Promise<ExportedRecord> {
  const { id, sizeBytes, sha256 } = share
  const { dependencies } = source
  const found = await loadOwnShare(source, id).catch(orGone)
  const data = found?.share?.data
  const summary = shareResponses(dependencies.shareBaseUrl).summary(share)
  const line = JSON.stringify({ ...summary, sha256: digestOf(sha256), available: data !== undefined })
  if (data === undefined) return record(line)
  const exported = { path: dataPath('shares', id), sizeBytes, load: async () => data }
  return record(line, [exported], inlineBytes(data))
}

/** Shares; of those that have expired only what is left of them. */
export async function* exportShares(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call, since } = source
  const { shares: client } = dependencies.upstreams
  const filter = { ownerId: caller.accountId, tool: '', state: ShareState.SHARE_STATE_ALL }
  const read = async (cursor: string): Promise<ListPage<Share>> => {
    const request = { ...filter, cursor, pageSize }
    const { shares, nextCursor } = await callUnary(client, client.listShares, request, call)
    return { items: shares, nextCursor }
  }
  for await (const page of pagesOf(read)) {
    const wanted = page.filter(({ createdAt }) => isSince(createdAt, since))
    // Gated shares come by a call for each.
    const atOnce = wanted.some(({ id }) => isGatedShareId(id)) ? callsMax : sharesPerBatch
    for (const some of slicesOf(wanted, atOnce))
      yield* await Promise.all(some.map((share) => shareRecord(source, share)))
    // The list is newest first, so what follows is older still.
    if (wanted.length < page.length) return
  }
}

async function* linesOf<Item extends { readonly createdAt: Date | undefined }>(
  read: (cursor: string) => Promise<ListPage<Item>>,
  since: Date | null,
  lineOf: (item: Item) => string,
): AsyncGenerator<ExportedRecord, void, undefined> {
  for await (const page of pagesOf(read)) {
    const wanted = page.filter(({ createdAt }) => isSince(createdAt, since))
    for (const item of wanted) yield record(lineOf(item))
    if (wanted.length < page.length) return
  }
}

export function exportHistory(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call, since } = source
  const { history: client } = dependencies.upstreams
  // Pro hides nothing: entries that a downgrade hides are exported as long as they are kept.
  const owner = { ownerId: caller.accountId, plan: planMessage('pro') }
  const read = async (cursor: string) => {
    const request = { ...owner, tool: '', pageSize, cursor }
    const { entries, nextCursor } = await callUnary(client, client.listEntries, request, call)
    return { items: entries, nextCursor }
  }
  return linesOf(read, since, historyEntryText)
}

export function exportEvents(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call, since } = source
  const { events: client } = dependencies.upstreams
  const read = async (cursor: string) => {
    const request = { accountId: caller.accountId, type: '', subject: '', pageSize, cursor }
    const { events, nextCursor } = await callUnary(client, client.listEvents, request, call)
    return { items: events, nextCursor }
  }
  return linesOf(read, since, (event) => JSON.stringify(eventResponse(event)))
}

/** API keys without their secrets. */
export async function* exportKeys(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call } = source
  const { apiKeys: client } = dependencies.upstreams
  const request = { accountId: caller.accountId }
  const { apiKeys } = await callUnary(client, client.listApiKeys, request, call)
  for (const one of apiKeys) yield record(JSON.stringify(apiKeyResponse(one)))
}

export async function* exportPublishers(
  source: ExportSource,
): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call } = source
  const { trustedPublishers: client } = dependencies.upstreams
  const request = { accountId: caller.accountId }
  const { trustedPublishers } = await callUnary(client, client.listTrustedPublishers, request, call)
  for (const one of trustedPublishers)
    yield record(JSON.stringify(publisherResponse(one, dependencies.assertions.issuers)))
}
