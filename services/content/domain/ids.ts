import type { Branded } from '#libs/core/branded.js'

/** Whose something is: the id of an account. */
export type OwnerId = Branded<string, 'OwnerId'>
/** Names a snippet. */
export type SnippetId = Branded<string, 'SnippetId'>
/** Names a share; whoever knows it may open the share, so it cannot be guessed. */
export type ShareId = Branded<string, 'ShareId'>
/** Names a document; known inside the system alone. */
export type DocumentId = Branded<string, 'DocumentId'>

/** An owner's id as it comes from a message or from storage. */
export const ownerId = (text: string): OwnerId => text as OwnerId
/** A snippet's id as it comes from a message, from storage or from the generator. */
export const snippetId = (text: string): SnippetId => text as SnippetId
/** A share's id as it comes from a message, from storage or from the generator. */
export const shareId = (text: string): ShareId => text as ShareId
/** A document's id as it comes from a message, from storage or from the generator. */
export const documentId = (text: string): DocumentId => text as DocumentId

const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Whether a text could be an id at all; nothing else is looked up, whoever sends it. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}
