import type { DocumentId, OwnerId } from './domain/ids.js'

/** Deletes everything of an owner whose account was erased. Each function is safe to repeat. */
export interface OwnerErasure {
  /** Deletes up to `limit` records, with what refers to them; returns how many. */
  removeRecords(ownerId: OwnerId, limit: number): Promise<number>
  /**
   * Up to `limit` documents of the owner, which nothing can name from now on. Those whose upload may still be running
   * are left out: they were reserved within `graceMs`.
   */
  condemn(ownerId: OwnerId, graceMs: number, limit: number): Promise<readonly DocumentId[]>
  /**
   * Notes the owner as erased and deletes the rest, in one step, after which no write for the owner succeeds. Does
   * nothing and returns false while the owner has documents.
   */
  finish(ownerId: OwnerId): Promise<boolean>
}
