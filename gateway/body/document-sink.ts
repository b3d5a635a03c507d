import { type ClientStream, callClientStream, callUnary } from '#libs/grpc/call.js'
import type {
  Operation,
  WriteDocumentRequest,
  WriteDocumentResponse,
  WriteDocumentStart,
} from '#proto/snipkeep/content/v1/document_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { type Caller, documentCall, type RequestContext, sideCall } from '../request/request-context.js'
import type { Upstreams } from '../upstreams.js'
import type { DocumentSink } from './data-receiver.js'

export interface UploadPurpose {
  /** Called with the document once it is complete. */
  readonly onStored?: (document: WriteDocumentResponse) => void
  readonly operation: Operation
  /** Empty if there is none. */
  readonly idempotencyKey: string
}

function uploadStart(
  { accountId, plan }: Caller,
  purpose: Omit<UploadPurpose, 'onStored'>,
): WriteDocumentStart {
  return { ownerId: accountId, plan: planMessage(plan), ...purpose }
}

/** Deletes a document that nothing will claim, and frees its idempotency key. Never rejects: content forgets it later. */
export async function discardUpload(
  documents: Upstreams['documents'],
  context: Pick<RequestContext, 'requestId'>,
  caller: Caller,
  purpose: Omit<UploadPurpose, 'onStored'>,
  documentId: string,
): Promise<void> {
  const request = { documentId, purpose: uploadStart(caller, purpose) }
  await callUnary(documents, documents.discardDocument, request, sideCall(context)).catch(() => {})
}

/** Opens a stream to content, which stores the document. */
export function openDocumentSink(
  documents: Upstreams['documents'],
  context: RequestContext,
  caller: Caller,
  { onStored, ...purpose }: UploadPurpose,
): DocumentSink {
  const stream: ClientStream<WriteDocumentRequest, WriteDocumentResponse> = callClientStream(
    documents,
    documents.writeDocument,
    documentCall(context),
  )
  const started = stream.write({
    part: {
      $case: 'start',
      value: uploadStart(caller, purpose),
    },
  })
  started.catch(() => {})
  return {
    async write(chunk) {
      await started
      await stream.write({
        part: { $case: 'chunk', value: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) },
      })
    },
    async finish() {
      const document = await stream.finish()
      onStored?.(document)
      return document
    },
    cancel: () => stream.cancel(),
  }
}

/** A sink that opens once `admit` has resolved, or at once without `admit`. */
export function checkedSink(
  admit: (() => Promise<void>) | undefined,
  open: () => DocumentSink,
): DocumentSink {
  if (admit === undefined) return open()
  let cancelled = false
  const opened = admit().then(() => (cancelled ? null : open()))
  opened.catch(() => {})
  const sink = async (): Promise<DocumentSink> => {
    const found = await opened
    if (found === null) throw new Error('the upload was cancelled')
    return found
  }
  return {
    write: async (chunk) => (await sink()).write(chunk),
    finish: async () => (await sink()).finish(),
    cancel() {
      cancelled = true
      opened.then((found) => found?.cancel()).catch(() => {})
    },
  }
}
