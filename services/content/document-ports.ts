import type { DocumentId, OwnerId } from './domain/ids.js'
import type { DataDigest, DocumentRange, StorageQuota } from './domain/stored-data.js'

/** The registry of documents: owner, completeness, and whether anything names them. */
export interface DocumentRegistry {
  /**
   * Registers a document that is about to be written, or whose bytes could not be removed; does nothing for
   * an existing one. Nothing names it yet, and it is complete only after `complete`.
   */
  reserve(id: DocumentId, ownerId: OwnerId): Promise<void>
  /**
   * Records that all bytes have arrived, and whether they were stored: compared bytes are never claimed and
   * do not count. Stored bytes count for the owner's storage from this step until they are deleted.
   * @throws DomainError `unavailable` if the document was condemned meanwhile; the error of `storage`.
   */
  complete(id: DocumentId, digest: DataDigest, kept: boolean, storage?: StorageQuota): Promise<void>
  /** The digest of a complete document, or `null`. */
  find(id: DocumentId): Promise<DataDigest | null>
  /** The digest of a document that a record currently names, or `null`. */
  findNamed(id: DocumentId): Promise<DataDigest | null>
  /**
   * Makes up to `limit` documents, orphaned for longer than `graceMs`, unclaimable; returns their ids. The caller
   * removes them: they are returned again only if they are not forgotten within another `graceMs`.
   */
  condemn(graceMs: number, limit: number): Promise<readonly DocumentId[]>
  /**
   * Makes a document of this owner unclaimable, unless something names it; returns whether it did. The caller removes
   * it, else `condemn` returns it a grace period later.
   */
  discard(id: DocumentId, ownerId: OwnerId): Promise<boolean>
  /** Deletes the entries of documents whose bytes were removed; if bytes arrived later, it stays condemned. */
  forget(ids: readonly DocumentId[]): Promise<void>
}

/** The storage usage of owners. */
export interface StorageUsage {
  /** The bytes of the owner's data, including documents that nothing names, until they are deleted. */
  storedBytes(ownerId: OwnerId): Promise<number>
}

/** Stores the bytes of documents, and nothing else about them. */
export interface DocumentStore {
  /**
   * Stores the chunks of a registered document in order, holding at most 20 MiB of them in memory; a full
   * buffer pauses the source. A failure may leave bytes behind, which `remove` deletes.
   * @throws DomainError `unavailable` if the store cannot be reached, and possibly if the document was
   * deleted meanwhile: `DocumentRegistry.complete` throws then in any case, and the caller removes the bytes.
   */
  write(id: DocumentId, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * The bytes in order, in chunks of at most 256 KiB; none for an unknown id.
   * @throws DomainError `unavailable` if the store cannot be reached.
   */
  read(id: DocumentId, range: DocumentRange): AsyncIterable<Uint8Array>
  /**
   * Deletes everything stored under these ids, including incomplete writes; unknown ids are ignored.
   * @throws DomainError `unavailable` if the store cannot be reached; then some may be left.
   */
  remove(ids: readonly DocumentId[]): Promise<void>
}

/** A store whose documents can be listed, in order to empty it. */
export interface ListedDocumentStore extends DocumentStore {
  /** Up to `limit` ids after `after`, sorted, of documents with bytes in this store. */
  list(after: DocumentId | null, limit: number): Promise<readonly DocumentId[]>
}

/**
 * A store whose writes are all or nothing: a document becomes readable after its last chunk, and never if its
 * source fails. Replacing a document with an equal one disturbs no reader.
 */
export type AtomicDocumentStore = DocumentStore
