import { createHash, hash as hashAtOnce } from 'node:crypto'
import { randomBase62 } from '#libs/runtime/random-id.js'
import { accessGrantLength } from '#shared/core/access-grant.js'
import { gatedShareIdLength } from '#shared/core/share-id.js'
import { checkId, documentId, shareId, snippetId } from '../domain/ids.js'
import type { ContentIds, Hashing } from '../ports.js'

/** SHA-256 by Node's crypto. */
export const nodeHashing: Hashing = {
  // For small data in memory: half the time of an incremental hash.
  sha256: (bytes) => hashAtOnce('sha256', bytes, 'hex'),
  start() {
    const hash = createHash('sha256')
    return {
      update: (bytes) => {
        hash.update(bytes)
      },
      digest: () => hash.digest('hex'),
    }
  },
}

/** 22 characters of base62 contain 131 random bits. */
const length = 22

/** Ids from the system's random generator. */
export const randomContentIds: ContentIds = {
  snippet: () => snippetId(randomBase62(length)),
  share: () => shareId(randomBase62(length)),
  gatedShare: () => shareId(randomBase62(gatedShareIdLength)),
  accessGrant: () => randomBase62(accessGrantLength),
  check: () => checkId(randomBase62(length)),
  document: () => documentId(randomBase62(length)),
  holder: () => randomBase62(length),
}
