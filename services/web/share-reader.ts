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

/** What everyone may know of a gated share. */
export interface GatePreview {
  readonly hasPassword: boolean
  /** `null` for no limit. */
  readonly viewsLeft: number | null
  readonly sizeBytes: number
  readonly expiresAt: Date | null
  readonly timeLeftMs: number | null
}

/** A gated share: what is behind its gate for those with a grant, else only the gate. */
export type GatedPreview =
  | { readonly open: true; readonly share: SharePreview; readonly gate: GatePreview }
  | { readonly open: false; readonly gate: GatePreview }

export interface ShareReader {
  /**
   * The share with up to `headBytesMax` bytes of its data.
   * @throws DomainError `not_found`, `share_expired`, `unavailable`, `timeout`.
   */
  read(id: string, headBytesMax: number, context: CallContext): Promise<SharePreview>
  /**
   * The same for a gated share.
   * @param grant empty for none.
   * @throws DomainError also `share_used_up`.
   */
  readGated(id: string, grant: string, headBytesMax: number, context: CallContext): Promise<GatedPreview>
  close(): void
}

/** Reads shares from the content service. */
export function grpcShareReader(target: string, transport: Transport): ShareReader {
  const options = clientOptions({
    'snipkeep.content.v1.ShareService': ['GetShare', 'GetGatedShare'],
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

  const previewOf = async (
    share: Share | undefined,
    timeLeftMs: number | undefined,
    headBytesMax: number,
    context: CallContext,
  ): Promise<SharePreview> => {
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
  }

  return {
    async read(id, headBytesMax, context) {
      const { share, timeLeftMs } = await callUnary(
        shares,
        shares.getShare,
        { id, includeData: true },
        context,
      )
      return previewOf(share, timeLeftMs, headBytesMax, context)
    },
    async readGated(id, grant, headBytesMax, context) {
      const request = { id, includeData: true, grant, accountId: '' }
      const { share, open, timeLeftMs } = await callUnary(shares, shares.getGatedShare, request, context)
      if (share?.gate === undefined) throw new Error('content returned no gate')
      const { hasPassword, viewsLeft = null } = share.gate
      const { sizeBytes, expiresAt = null } = share
      const gate = { hasPassword, viewsLeft, sizeBytes, expiresAt, timeLeftMs: timeLeftMs ?? null }
      if (!open) return { open, gate }
      return { open, gate, share: await previewOf(share, timeLeftMs, headBytesMax, context) }
    },
    close() {
      shares.close()
      documents.close()
    },
  }
}
