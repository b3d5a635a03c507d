import { text } from '../../../../texts/text.js'
import type { Share } from '../../api/shares.js'

/** The title of a share. It is deleted one year after the share expires. */
export function shareTitle({ title }: Pick<Share, 'title'>): string {
  return title === '' ? text('shares.untitled') : title
}
