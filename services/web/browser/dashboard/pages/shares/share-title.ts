import { text } from '../../../../texts/text.js'
import type { Share } from '../../api/shares.js'

/** What a share is called: its title, which goes a year after it has expired. */
export function shareTitle({ title }: Pick<Share, 'title'>): string {
  return title === '' ? text('shares.untitled') : title
}
