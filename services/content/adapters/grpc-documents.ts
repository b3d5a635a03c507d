import { invalidField } from '#libs/core/domain-error.js'
import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { bytesMessage, bytesOnlyField } from '#libs/grpc/zero-copy/bytes-field.js'
import {
  type DocumentServiceServer,
  DocumentServiceService,
  Operation,
  type WriteDocumentRequest,
  type WriteDocumentStart,
} from '#proto/snipkeep/content/v1/document_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { planName } from '#shared/plan-messages.js'
import { discardDocument } from '../application/discard-document.js'
import { readDocument } from '../application/read-document.js'
import { writeDocument } from '../application/write-document.js'
import type { IdempotencyKey, IdempotentOperation } from '../domain/idempotency.js'
import type { ContentPorts } from '../ports.js'
import { documentOf, ownerOf } from './grpc-messages.js'

function misplaced(detail: string): Error {
  return invalidField('/part', 'invalid', detail)
}

const operations: Readonly<Partial<Record<Operation, IdempotentOperation>>> = {
  [Operation.OPERATION_CREATE_SNIPPET]: 'create-snippet',
  [Operation.OPERATION_CREATE_SHARE]: 'create-share',
  [Operation.OPERATION_CREATE_CHECK]: 'create-check',
}

function idempotencyKeyOf(start: WriteDocumentStart): IdempotencyKey | null {
  const operation = operations[start.operation]
  const key = givenIdempotencyKey(start.idempotencyKey)
  if (key === null || operation === undefined) return null
  return { ownerId: ownerOf(start.ownerId), operation, key }
}

async function firstPart(parts: AsyncIterator<WriteDocumentRequest>): Promise<WriteDocumentStart> {
  const first = await parts.next()
  const part = first.done === true ? undefined : first.value.part
  if (part?.$case !== 'start') throw misplaced('The first message of an upload must say what it is for.')
  return part.value
}

async function* chunksOf(
  parts: AsyncIterator<WriteDocumentRequest>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const { done, value } = await parts.next()
    // A cancelled stream ends like a complete one; only the signal shows the difference.
    if (signal.aborted) throw new Error('the upload was cancelled')
    if (done === true) return
    if (value.part?.$case !== 'chunk')
      throw misplaced('Every message of an upload but the first must be a chunk.')
    yield value.part.value
  }
}

const callers: CallersOf<typeof DocumentServiceService> = {
  writeDocument: ['gateway'],
  discardDocument: ['gateway'],
  readDocument: ['gateway', 'web'],
}

/** Chunks are views of the received bytes, and are copied once on their way out. */
const definition: typeof DocumentServiceService = {
  ...DocumentServiceService,
  writeDocument: {
    ...DocumentServiceService.writeDocument,
    requestDeserialize(message) {
      const chunk = bytesOnlyField(2, message)
      if (chunk !== null) return { part: { $case: 'chunk', value: chunk } }
      return DocumentServiceService.writeDocument.requestDeserialize(message)
    },
  },
  readDocument: {
    ...DocumentServiceService.readDocument,
    responseSerialize: ({ chunk }) => bytesMessage(1, chunk),
  },
}

/** `DocumentService` over gRPC. */
export function grpcDocuments(
  { clientStream, serverStream, unary }: Pick<Handlers, 'clientStream' | 'serverStream' | 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const handlers: DocumentServiceServer = {
    writeDocument: clientStream(async (requests, { signal }) => {
      const parts = requests[Symbol.asyncIterator]()
      const start = await firstPart(parts)
      const plan = planName(start.plan)
      const { id, digest, compared } = await writeDocument(ports, {
        ownerId: ownerOf(start.ownerId),
        plan,
        limits: plans[plan],
        key: idempotencyKeyOf(start),
        chunks: chunksOf(parts, signal),
      })
      return { documentId: id, sizeBytes: digest.sizeBytes, compared }
    }),
    discardDocument: unary(async ({ documentId, purpose }) => {
      if (purpose === undefined) throw invalidField('/purpose', 'required', 'purpose is required.')
      const owner = ownerOf(purpose.ownerId)
      const key = idempotencyKeyOf(purpose)
      await discardDocument(ports, { id: documentOf(documentId), ownerId: owner, key })
      return {}
    }),
    readDocument: serverStream(async function* (request) {
      const range = { offset: request.offset, length: request.length ?? null }
      for await (const bytes of readDocument(ports, documentOf(request.documentId), range)) {
        yield { chunk: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
      }
    }),
  }
  return { definition, handlers, callers }
}
