import { type CallContext, callServerStream, callUnary } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import type { Transport } from '#libs/grpc/transport.js'
import { DocumentServiceClient } from '#proto/snipkeep/content/v1/document_service.js'
import { type Share, ShareServiceClient } from '#proto/snipkeep/content/v1/share_service.js'

/** A live share with the beginning of its data. */
export interface SharePreview {
  readonly id: string
  readonly tool: string
  readonly title: string
  readonly sizeBytes: number
  readonly createdAt: Date
  /** `null` if it never expires. */
  readonly expiresAt: Date | null
  readonly timeLeftMs: number | null
  /** The first bytes of `data`; all of them if they are few. */
  readonly head: Uint8Array
}

export interface ShareReader {
  /**
   * The share with up to `headBytesMax` bytes of its data.
   * @throws DomainError `not_found`, `share_expired`, `unavailable`, `timeout`.
   */
  read(id: string, headBytesMax: number, context: CallContext): Promise<SharePreview>
  close(): void
}

/** Reads shares from the content service. */
export function grpcShareReader(target: string, transport: Transport): ShareReader {
  const options = clientOptions({
    'snipkeep.content.v1.ShareService': ['GetShare'],
    'snipkeep.content.v1.DocumentService': ['ReadDocument'],
  })
  const shares = new ShareServiceClient(target, transport.channelCredentials('content'), options)
  const documents = new DocumentServiceClient(target, transport.channelCredentials('content'), options)

  const readHead = async (data: Share['data'], length: number, context: CallContext): Promise<Uint8Array> => {
    if (data === undefined) throw new Error('content returned no data')
    if (data.$case === 'inline') return data.value.subarray(0, length)
    const request = { documentId: data.value, offset: 0, length }
    const chunks: Uint8Array[] = []
    for await (const { chunk } of callServerStream(documents, documents.readDocument, request, context))
      chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  return {
    async read(id, headBytesMax, context) {
      const { share, timeLeftMs } = await callUnary(
        shares,
        shares.getShare,
        { id, includeData: true },
        context,
      )
      if (share?.createdAt === undefined) throw new Error('content returned no share')
      return {
        id: share.id,
        tool: share.tool,
        title: share.title,
        sizeBytes: share.sizeBytes,
        createdAt: share.createdAt,
        expiresAt: share.expiresAt ?? null,
        timeLeftMs: timeLeftMs ?? null,
        head: await readHead(share.data, headBytesMax, context),
      }
    },
    close() {
      shares.close()
      documents.close()
    },
  }
}
