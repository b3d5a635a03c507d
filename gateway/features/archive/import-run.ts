import type { Caller, RequestContext } from '../../http/request-context.js'
import type { RouteParts } from '../feature-dependencies.js'
import type { AllowSecrets } from '../shares/share-secrets.js'
import { archiveTooLarge } from './archive-format.js'
import type { AnnouncedData } from './import-data.js'
import type { ImportTarget, Stored } from './import-items.js'
import type { ReadText } from './import-lists.js'
import type { ImportResults } from './import-results.js'

/** Snippets, versions, shares and history entries of one import. */
export const itemsMax = 100_000

/** Why an item is not imported. */
export type SkipReason = 'expired' | 'used_up' | 'password' | 'plan'

/** What to do with announced data. */
export interface Announced extends AnnouncedData {
  /** A reason to skip it; `null` if the account has it. */
  readonly store: ((target: ImportTarget, data: Stored) => Promise<void>) | SkipReason | null
  /** For an item that exists. */
  readonly id: string
  /** The item in the archive: a snippet's versions have the same. */
  readonly origin: string
}

/** What the account does not have yet. */
export interface NewItem extends Pick<Announced, 'id' | 'origin'> {
  readonly store: (target: ImportTarget, data: Stored) => Promise<void>
}

/** One import. */
export interface ImportRun {
  readonly parts: RouteParts
  readonly context: RequestContext
  readonly results: ImportResults
  readonly dryRun: boolean
  readonly allowSecrets: AllowSecrets
  caller: Caller
  readonly currentCaller: () => Promise<Caller>
  items: number
  /** Of warnings in the results. */
  warningBytes: number
  /** Data that the current list announces and that has not come yet. */
  expected: Announced[]
  /** Announced data that never came. */
  readonly missing: string[]
  /** Every file that is not data. */
  readonly files: Map<string, Omit<ReadText, 'text'>>
  /** Refusals that hold for further items: of a kind, because of a limit, or of a snippet's versions. */
  readonly refusals: Map<string, unknown>
}

/** @throws DomainError `archive_too_large`. */
export function countItems(run: ImportRun, count: number): void {
  run.items += count
  if (run.items > itemsMax) {
    const message = `An import takes at most ${itemsMax} items. Export in parts, with since.`
    throw archiveTooLarge(message, itemsMax)
  }
}
