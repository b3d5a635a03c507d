import { randomBase62 } from '#libs/runtime/random-id.js'
import { entryId } from '../domain/ids.js'
import type { EntryIds } from '../ports.js'

/** Ids of 131 random bits. */
export const randomEntryIds: EntryIds = { next: () => entryId(randomBase62(22)) }
