import type { SharePreview } from '../share-reader.js'

/** The id of every preview. */
export const previewId = 'AAAAAAAAAAAAAAAAAAAAAA'

/** A share of this JSON text that expires in just under 30 days. */
export function preview(data: string, other: Partial<SharePreview> = {}): SharePreview {
  const head = Buffer.from(data)
  return {
    id: previewId,
    tool: 'csv',
    title: 'Title',
    sizeBytes: head.length,
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    expiresAt: new Date('2026-02-01T03:04:05.678Z'),
    timeLeftMs: 30 * 86_400_000 - 1,
    head,
    ...other,
  }
}
