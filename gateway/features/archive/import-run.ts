import { DomainError } from '#libs/core/domain-error.js'
import type { Caller, RequestContext } from '../../request/request-context.js'
import type { AllowSecrets } from '../shares/share-secrets.js'
import { archiveIncomplete, archiveTooLarge, itemsMax } from './archive-format.js'
import type { AnnouncedData } from './import-data.js'
import type { ImportDependencies, ImportTarget, Stored } from './import-items.js'
import type { FileDigest } from './import-lists.js'
import type { ImportMemory } from './import-memory.js'
import type { ImportResults } from './import-results.js'

/** Snippets, versions, shares, history entries and lists of one archive, also those that exist or are skipped. */
export const entriesMax = 1_000_000
/** As many as the manifest has room for. */
const listsMax = 8_000
/** As many as the manifest could name as gone. */
const missingMax = 22_000

/** Why an item is not imported. */
export type SkipReason = 'expired' | 'used_up' | 'password' | 'plan' | 'check'

/** What to do with announced data. */
export interface Announced extends AnnouncedData {
  /** A reason to skip it; `null` if the account has it. */
  readonly store: ((target: ImportTarget, data: Stored) => Promise<void>) | SkipReason | null
  /** For an item that exists; empty for a new share. */
  readonly id: string
  /** The item in the archive: a snippet's versions have the same. */
  readonly origin: string
}

/** What the account does not have yet. */
export interface NewItem extends Pick<Announced, 'id' | 'origin' | 'sizeBytes'> {
  readonly store: (target: ImportTarget, data: Stored) => Promise<void>
}

/** Refusals that hold for further items. */
interface Refusals {
  /** By the kind of item, because of a limit of numbers. */
  readonly kinds: Map<ItemKind, DomainError>
  /** The snippet that was refused last: its versions follow it. */
  snippet: { readonly origin: string; readonly error: DomainError } | null
  /** The smallest data that did not fit into the storage. */
  storage: { readonly sizeBytes: number; readonly error: DomainError } | null
}

type ItemKind = 'snippet' | 'version' | 'share' | 'contract'

/** One import. */
export interface ImportRun {
  readonly dependencies: ImportDependencies
  readonly context: RequestContext
  readonly results: ImportResults
  readonly memory: Pick<ImportMemory, 'hold'>
  readonly dryRun: boolean
  readonly allowSecrets: AllowSecrets
  caller: Caller
  readonly currentCaller: () => Promise<Caller>
  entries: number
  /** Of warnings in the results. */
  warningBytes: number
  /** Data that the current list announces and that has not come yet. */
  expected: Announced[]
  /** The paths of announced data that never came. */
  readonly missing: Set<string>
  /** Every file that is not data. */
  readonly files: Map<string, FileDigest>
  readonly refusals: Refusals
  /** The snippets that a dry run says an import would create: their ids by `@` and name, or id. */
  readonly planned: Map<string, string>
  /** The contracts that the account has and a dry run adds; `null` until they are counted. */
  contracts: number | null
}

/** Notes in a dry run that an import would create this snippet; of more than one import creates, others are not noted. */
export function plan(
  { dryRun, planned }: Pick<ImportRun, 'dryRun' | 'planned'>,
  id: string,
  name: string | null,
): void {
  if (!dryRun || planned.size >= 2 * itemsMax) return
  planned.set(id, id)
  if (name !== null) planned.set(`@${name}`, id)
}

/** Whether a dry run says that an import would create this snippet. */
export function isPlanned({ planned }: Pick<ImportRun, 'planned'>, reference: string): boolean {
  return planned.has(planned.get(reference) ?? '')
}

/** @throws DomainError `archive_too_large`. */
export function countEntries(run: ImportRun, count: number): void {
  run.entries += count
  if (run.entries > entriesMax) {
    const message = `An archive may have at most ${entriesMax} items. Export in parts, with since.`
    throw archiveTooLarge(message, entriesMax)
  }
}

/** @throws DomainError `archive_too_large`. */
export function addFile(run: ImportRun, path: string, digest: FileDigest): void {
  run.files.set(path, digest)
  if (run.files.size <= listsMax) return
  throw archiveTooLarge(
    `An archive may have at most ${listsMax} lists. Export in parts, with since.`,
    listsMax,
  )
}

/**
 * Ends an import that does too much. Items that exist do not count, so the next one goes on from here.
 * @param more items that are about to be imported.
 * @throws DomainError `archive_too_large`.
 */
export function checkImported({ results, dryRun }: ImportRun, more = 0): void {
  const { created, refused } = results.counts()
  if (dryRun || created + refused + more <= itemsMax) return
  const message = `An import takes at most ${itemsMax} new items. Import the archive again to go on.`
  throw archiveTooLarge(message, itemsMax)
}

/**
 * Records data that did not come.
 * @throws DomainError `archive_incomplete` if that is more than any export leaves out.
 */
export function giveUp(run: ImportRun, announced: readonly Announced[]): void {
  for (const { path } of announced) run.missing.add(path)
  if (run.missing.size > missingMax) throw archiveIncomplete([...run.missing])
}

/** The kind of item that data belongs to. */
export function kindOf(path: string): ItemKind {
  if (path.startsWith('data/shares/')) return 'share'
  return path.includes('@') ? 'version' : 'snippet'
}

type Item = Pick<Announced, 'id' | 'origin' | 'sizeBytes'>

/** Why an item is refused without being read; `null` if it is not. */
export function earlierRefusal(
  { refusals: { kinds, snippet, storage } }: Pick<ImportRun, 'refusals'>,
  path: string,
  { origin, sizeBytes }: Item,
): DomainError | null {
  const kind = kindOf(path)
  const ofKind = kinds.get(kind)
  if (ofKind !== undefined) return ofKind
  if (kind === 'version' && snippet?.origin === origin) return snippet.error
  // Smaller ones may still fit.
  return storage !== null && sizeBytes >= storage.sizeBytes ? storage.error : null
}

/** Records what the refusal of an item means for further ones. */
export function noteRefusal(
  { refusals, planned }: Pick<ImportRun, 'planned' | 'refusals'>,
  path: string,
  item: Item,
  error: unknown,
): void {
  if (!(error instanceof DomainError)) return
  const { id, origin, sizeBytes } = item
  const kind = kindOf(path)
  if (error.code === 'snippet_limit_reached' || error.code === 'share_limit_reached')
    refusals.kinds.set(kind, error)
  const { storage } = refusals
  if (error.code === 'storage_limit_reached' && sizeBytes < (storage?.sizeBytes ?? Number.POSITIVE_INFINITY))
    refusals.storage = { sizeBytes, error }
  if (kind !== 'snippet') return
  refusals.snippet = { origin, error }
  planned.delete(id)
}

/** The same of a contract. */
export function noteContractRefusal({ refusals }: Pick<ImportRun, 'refusals'>, error: unknown): void {
  if (error instanceof DomainError && error.code === 'contract_limit_reached')
    refusals.kinds.set('contract', error)
}
