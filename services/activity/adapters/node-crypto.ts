import { createHash } from 'node:crypto'
import { randomBase62 } from '#libs/runtime/random-id.js'
import { entryId } from '../domain/ids.js'
import type { EntryIds, Hashing } from '../ports.js'

/** Ids of 131 random bits. */
export const randomEntryIds: EntryIds = { next: () => entryId(randomBase62(22)) }

export const nodeHashing: Hashing = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
}
