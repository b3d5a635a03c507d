import { DataCorruptionError, type DataDigest } from '../domain/stored-data.js'
import type { ContentPorts, WithData } from '../ports.js'

/**
 * The same record, once its inline bytes have been found to be those that were stored.
 * @throws DataCorruptionError when they are not: the database has lost or changed bytes.
 */
export function verifyInline<Found extends WithData<{ readonly id: string; readonly digest: DataDigest }>>(
  { hashing }: Pick<ContentPorts, 'hashing'>,
  found: Found,
): Found {
  const { record, data } = found
  if (data?.kind === 'inline' && hashing.sha256(data.bytes) !== record.digest.sha256) {
    throw new DataCorruptionError(
      `the data of ${record.id} does not have the SHA-256 that it was stored with`,
    )
  }
  return found
}
