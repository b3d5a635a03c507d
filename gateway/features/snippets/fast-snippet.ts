import type { FastRead } from '../../http/operation.js'
import { isId, isNameReference, shortCall } from '../../request/request-context.js'
import { quoteTag } from '../../request/request-head.js'
import type { ReadSnippet } from './read-snippet.js'

/** `GET /api/snippets/{id}` of a snippet with small data. */
export function fastSnippetRead(readSnippet: ReadSnippet): FastRead {
  return (id) => {
    if (!isId(id) && !isNameReference(id)) return null
    return async (context, caller) => {
      if (caller === null) return null
      const request = { ownerId: caller.accountId, id, includeData: true }
      const { snippet, text } = await readSnippet(request, shortCall(context))
      return text === null ? null : { etag: quoteTag(snippet.etag), body: text }
    }
  }
}
