import type { ServerResponse } from 'node:http'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { sendBytes } from './send-bytes.js'
import { type DocumentReads, type DocumentRequest, dataPart } from './stored-data.js'

/** Sends JSON that holds `data`: the text before it, its bytes, and the text after it. */
export async function sendEnvelope(
  response: ServerResponse,
  [before, after]: readonly [Buffer, Buffer],
  { data, sizeBytes }: Pick<Snippet, 'data' | 'sizeBytes'>,
  reads: DocumentReads,
  request: DocumentRequest,
): Promise<void> {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': before.length + sizeBytes + after.length,
  }
  await sendBytes(response, headers, [before, dataPart(reads, data, request), after])
}
