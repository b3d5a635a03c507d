import type { Branded } from '#libs/core/branded.js'

/** Whose something is: the id of an account. */
export type OwnerId = Branded<string, 'OwnerId'>
/** Names a history entry. */
export type EntryId = Branded<string, 'EntryId'>

/** An owner's id as it comes from a message or from storage. */
export const ownerId = (text: string): OwnerId => text as OwnerId
/** An entry's id as it comes from a message, from storage or from the generator. */
export const entryId = (text: string): EntryId => text as EntryId

const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Whether a text could be an id at all; nothing else is looked up, whoever sends it. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}
