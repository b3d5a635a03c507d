import type { OpenedPart, PartReader } from '../document/document-reader.js'

/** Larger content fills a screen. */
const sizeBytesMax = 16_384
const lineRem = 1.4
const rowRem = 2.2
const restRem = 4

/** The height, in rem, of a panel that shows all of a short document; `null` for one that fills a screen. */
export async function contentHeight(
  reader: Pick<PartReader, 'lineCount'>,
  { sizeBytes, kind }: Pick<OpenedPart, 'sizeBytes' | 'kind'>,
): Promise<number | null> {
  if (sizeBytes > sizeBytesMax) return null
  const lines = await reader.lineCount('shown')
  return Math.max(14, restRem + lines * (kind === 'csv' ? rowRem : lineRem))
}
