import { type ClientStream, callClientStream } from '#libs/grpc/call.js'
import type {
  Operation,
  WriteDocumentRequest,
  WriteDocumentResponse,
} from '#proto/snipkeep/content/v1/document_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { type Caller, documentCall, type RequestContext } from '../request/request-context.js'
import type { Upstreams } from '../upstreams.js'
import type { DocumentSink } from './data-receiver.js'

export interface UploadPurpose {
  readonly operation: Operation
  /** Empty if there is none. */
  readonly idempotencyKey: string
}

/** Opens a stream to content, which stores the document. */
export function openDocumentSink(
  documents: Upstreams['documents'],
  context: RequestContext,
  caller: Caller,
  purpose: UploadPurpose,
): DocumentSink {
  const stream: ClientStream<WriteDocumentRequest, WriteDocumentResponse> = callClientStream(
    documents,
    documents.writeDocument,
    documentCall(context),
  )
  const started = stream.write({
    part: {
      $case: 'start',
      value: { ownerId: caller.accountId, plan: planMessage(caller.plan), ...purpose },
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
      const { documentId, sizeBytes } = await stream.finish()
      return { documentId, sizeBytes }
    },
    cancel: () => stream.cancel(),
  }
}
