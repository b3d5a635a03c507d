import type { Branded } from '#libs/core/branded.js'

/** The owner's account id. */
export type OwnerId = Branded<string, 'OwnerId'>
export type EntryId = Branded<string, 'EntryId'>

/** An owner's id from a message or from storage. */
export const ownerId = (text: string): OwnerId => text as OwnerId
/** An entry's id from a message, from storage or from the generator. */
export const entryId = (text: string): EntryId => text as EntryId

const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Whether a text has the format of an id; nothing else is looked up. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}
