import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../../texts/text.js'
import { Notice } from '../kit/notice.js'

/** The size of the data beside the plan's limit. */
export function DataSize({
  sizeBytes,
  limitBytes,
}: {
  readonly sizeBytes: number
  readonly limitBytes: number
}) {
  const values = { size: readableSize(sizeBytes), limit: readableSize(limitBytes) }
  if (sizeBytes > limitBytes) return <Notice tone="warning">{text('snippets.tooLarge', values)}</Notice>
  return <p className="hint">{text('snippets.size', values)}</p>
}
