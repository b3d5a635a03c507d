import { invalidField } from '#libs/core/domain-error.js'
import { type ShareViews, viewsMax } from '../domain/content-event.js'
import type { ContentPorts } from '../ports.js'

const sharesMax = 1_000

/**
 * Adds views to shares, and view events that are due to the outbox.
 * @throws DomainError `validation_failed`.
 */
export async function recordShareViews(
  { shares }: Pick<ContentPorts, 'shares'>,
  all: readonly ShareViews[],
): Promise<void> {
  const isCount = ({ views }: ShareViews): boolean =>
    Number.isInteger(views) && views > 0 && views <= viewsMax
  if (all.length > sharesMax || !all.every(isCount))
    throw invalidField('/shares', 'invalid', `At most ${sharesMax} shares, each with 1 to ${viewsMax} views.`)
  if (all.length === 0) return
  await shares.addViews(all)
  await shares.queueViewEvents(sharesMax)
}
