import { callUnary } from '#libs/grpc/call.js'
import type { ListSnippetsRequest, Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { type Part, sendBytes } from '../answers/send-bytes.js'
import { snippetEnvelope } from '../answers/snippet-answer.js'
import { dataPart } from '../answers/stored-data.js'
import { documentCall, shortCall } from '../call-context.js'
import type { Exchange } from '../exchange.js'
import type { Upstreams } from '../upstreams.js'

/** A page ends with the item by which its data passes this many bytes. */
export const pageDataBytesMax = 8 * 1024 * 1024

/** A page of snippets as it will be sent. */
export interface SnippetPage {
  readonly snippets: readonly Snippet[]
  readonly nextCursor: string | null
}

/**
 * Reads one page. Content answers in messages of bounded size, so a page may take several; what is held here is the
 * small documents of one page, at most 8 MiB, while large ones follow when the page is sent.
 */
export async function readSnippetPage(
  upstreams: Upstreams,
  exchange: Exchange,
  request: Omit<ListSnippetsRequest, 'dataBytesMax'>,
): Promise<SnippetPage> {
  const { snippets: client } = upstreams
  const snippets: Snippet[] = []
  let dataBytes = 0
  let { cursor } = request
  for (;;) {
    const answer = await callUnary(
      client,
      client.listSnippets,
      {
        ...request,
        cursor,
        pageSize: request.pageSize - snippets.length,
        dataBytesMax: request.includeData ? pageDataBytesMax - dataBytes : Number.MAX_SAFE_INTEGER,
      },
      shortCall(exchange),
    )
    snippets.push(...answer.snippets)
    cursor = answer.nextCursor
    if (request.includeData) dataBytes = snippets.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const full = snippets.length >= request.pageSize || dataBytes > pageDataBytesMax
    if (cursor === '' || full) return { snippets, nextCursor: cursor === '' ? null : cursor }
  }
}

/** Sends a page with the data of every snippet, the large ones streamed one after another. */
export async function sendSnippetPage(
  upstreams: Upstreams,
  exchange: Exchange,
  page: SnippetPage,
): Promise<void> {
  const parts: Part[] = []
  let length = 0
  const add = (part: Part, size: number): void => {
    parts.push(part)
    length += size
  }
  const addText = (text: string): void => add(Buffer.from(text), Buffer.byteLength(text))
  addText('{"snippets":[')
  for (const [index, snippet] of page.snippets.entries()) {
    if (index > 0) addText(',')
    const [before, after] = snippetEnvelope(snippet)
    add(before, before.length)
    add(dataPart(upstreams.documents, snippet.data, documentCall(exchange)), snippet.sizeBytes)
    add(after, after.length)
  }
  addText(`],"next_cursor":${JSON.stringify(page.nextCursor)}}`)
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length }
  await sendBytes(exchange.response, headers, parts)
}
