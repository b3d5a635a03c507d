import { randomBase62 } from '#libs/runtime/random-id.js'
import { documentId, shareId, snippetId } from '../domain/ids.js'
import type { ContentIds } from '../ports.js'

/** 22 characters of base62 carry 131 random bits. */
const length = 22

/** Ids from the system's random generator. */
export const randomContentIds: ContentIds = {
  snippet: () => snippetId(randomBase62(length)),
  share: () => shareId(randomBase62(length)),
  document: () => documentId(randomBase62(length)),
  holder: () => randomBase62(length),
}
