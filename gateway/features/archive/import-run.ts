import type { Caller, RequestContext } from '../../request/request-context.js'
import type { AllowSecrets } from '../shares/share-secrets.js'
import { archiveIncomplete, archiveTooLarge, itemsMax } from './archive-format.js'
import type { AnnouncedData } from './import-data.js'
import type { ImportDependencies, ImportTarget, Stored } from './import-items.js'
import type { FileDigest } from './import-lists.js'
import type { ImportMemory } from './import-memory.js'
import type { Refusals } from './import-refusals.js'
import type { ImportResults } from './import-results.js'

/** Snippets, versions, shares, history entries and lists of one archive, also those that exist or are skipped. */
export const entriesMax = 1_000_000
/** As many as the manifest has room for. */
const listsMax = 8_000
/** As many as the manifest could name as gone. */
const missingMax = 22_000

/** Why an item is not imported. */
export type SkipReason = 'expired' | 'used_up' | 'password' | 'plan'

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
