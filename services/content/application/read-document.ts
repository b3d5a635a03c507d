import { DomainError } from '#libs/core/domain-error.js'
import type { DocumentId } from '../domain/ids.js'
import type { DocumentRange } from '../domain/stored-data.js'
import { DataCorruptionError } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/**
 * The bytes of a document, or a range of them. A complete read is checked against its SHA-256, and the stream
 * fails if it differs, so that no one takes corrupt bytes for good ones.
 * @throws DomainError `not_found`; DataCorruptionError if bytes are missing or differ.
 */
export async function* readDocument(
  { registry, documents, hashing }: Pick<ContentPorts, 'registry' | 'documents' | 'hashing'>,
  id: DocumentId,
  range: DocumentRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const digest = await registry.find(id)
  if (digest === null) throw new DomainError('not-found', 'not_found', 'This document does not exist.')
  const hash = hashing.start()
  const offset = Math.min(Math.max(range.offset, 0), digest.sizeBytes)
  const length = Math.min(Math.max(range.length ?? digest.sizeBytes, 0), digest.sizeBytes - offset)
  const whole = offset === 0 && length === digest.sizeBytes
  let read = 0
  for await (const chunk of documents.read(id, { offset, length })) {
    read += chunk.length
    if (whole) hash.update(chunk)
    yield chunk
  }
  if (read !== length || (whole && hash.digest() !== digest.sha256)) {
    throw new DataCorruptionError(`document ${id} does not have the bytes that it was stored with`)
  }
}
