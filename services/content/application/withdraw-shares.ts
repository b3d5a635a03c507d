import type { Announced } from '#libs/core/announced.js'
import type { OwnerId, ShareId } from '../domain/ids.js'
import { shareNotFound } from '../domain/share.js'
import type { ContentPorts } from '../ports.js'

/** The dependencies of operator commands. */
export interface OperatorPorts extends Pick<ContentPorts, 'shares'> {
  readonly readers: {
    /** Notifies all processes that cache shares that this one is gone. Never rejects. */
    announce(id: ShareId): Promise<Announced>
  }
}

const pageSize = 100

/**
 * Deletes any owner's share, live or expired, as its owner would; afterwards it is unknown.
 * @throws DomainError `not_found`.
 */
export async function withdrawShare({ shares, readers }: OperatorPorts, id: ShareId): Promise<Announced> {
  if (!(await shares.remove(id, () => {}))) throw shareNotFound()
  return readers.announce(id)
}

/** The result of withdrawing an owner's shares. */
export interface Withdrawal {
  readonly withdrawn: number
  /** The worst notification outcome of them; `null` if there were none. */
  readonly announced: Announced | null
}

/** Deletes all of an owner's current shares, including tombstones. */
export async function withdrawSharesOf(ports: OperatorPorts, ownerId: OwnerId): Promise<Withdrawal> {
  const filter = { ownerId, tool: null, state: 'all', itemsMax: pageSize } as const
  let withdrawn = 0
  let announced: Announced | null = null
  let page = await ports.shares.list({ ...filter, after: null })
  for (;;) {
    for (const { id } of page.items) {
      // Its owner or its expiry may have been faster.
      if (!(await ports.shares.remove(id, () => {}))) continue
      withdrawn += 1
      const outcome = await ports.readers.announce(id)
      if (announced === null || outcome !== 'told') announced = outcome
    }
    if (page.next === null) return { withdrawn, announced }
    page = await ports.shares.list({ ...filter, after: page.next })
  }
}
