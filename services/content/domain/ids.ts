import type { Branded } from '#libs/core/branded.js'

/** The owner's account id. */
export type OwnerId = Branded<string, 'OwnerId'>
/** The id of a snippet. */
export type SnippetId = Branded<string, 'SnippetId'>
/** The id of a share; it grants access, so it is unguessable. */
export type ShareId = Branded<string, 'ShareId'>
/** The id of a check. */
export type CheckId = Branded<string, 'CheckId'>
/** The id of a document; internal. */
export type DocumentId = Branded<string, 'DocumentId'>

/** An owner's id from a message or from storage. */
export const ownerId = (text: string): OwnerId => text as OwnerId
/** A snippet's id from a message, from storage or from the generator. */
export const snippetId = (text: string): SnippetId => text as SnippetId
/** A share's id from a message, from storage or from the generator. */
export const shareId = (text: string): ShareId => text as ShareId
/** A check's id from a message, from storage or from the generator. */
export const checkId = (text: string): CheckId => text as CheckId
/** A document's id from a message, from storage or from the generator. */
export const documentId = (text: string): DocumentId => text as DocumentId

/** A record has this id already. Random ids are never taken; those of an archive may be. */
export class IdTaken extends Error {
  constructor() {
    super('this id is taken')
    this.name = 'IdTaken'
  }
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Whether a text has the format of an id; nothing else is looked up. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An id that follows from a digest, in the format of random ids. */
export function derivedId(sha256: string): string {
  let rest = BigInt(`0x${sha256}`)
  let id = ''
  while (id.length < 22) {
    id += digits.charAt(Number(rest % 62n))
    rest /= 62n
  }
  return id
}
