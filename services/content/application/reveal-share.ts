import { unavailable } from '#libs/core/domain-error.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import type { FoundGatedShare } from '../domain/found-share.js'
import type { ShareId } from '../domain/ids.js'
import { type Share, shareNotFound } from '../domain/share.js'
import { sharePasswordInvalid, sharePasswordsLimited } from '../domain/share-gate.js'
import type { ContentPorts } from '../ports.js'
import { checkNotEnded } from './get-gated-share.js'

/** A share with the grant that opens it. */
export interface RevealedShare {
  readonly share: Share
  readonly grant: string
  readonly expiresAt: Date
}

type Ports = Pick<ContentPorts, 'gates' | 'shares' | 'passwords' | 'ids' | 'hashing'>

/** Shares whose new views become events at once; the job finds others. */
const eventsMax = 10

/**
 * The share, if someone may come in.
 * @throws DomainError `not_found`, `rate_limited`; `checkNotEnded`'s.
 */
async function findOpen({ gates }: Pick<Ports, 'gates'>, id: ShareId): Promise<FoundGatedShare> {
  const read = { includeData: false, grantDigest: null, accountId: null }
  const found = isGatedShareId(id) ? await gates.find(id, read) : null
  if (found === null) throw shareNotFound()
  checkNotEnded(found)
  if (found.limitedForMs > 0) throw sharePasswordsLimited(found.limitedForMs)
  return found
}

/** Throws why the store refused what was possible a moment ago: someone else was faster. */
async function refuse(ports: Ports, id: ShareId): Promise<never> {
  await findOpen(ports, id)
  throw unavailable('Too many people are opening this share. Try again.')
}

/** @throws DomainError `share_password_invalid`, and as `refuse`. */
async function checkPassword(ports: Ports, id: ShareId, password: string, hash: string): Promise<void> {
  if (password === '') throw sharePasswordInvalid(true)
  if (await ports.passwords.verify(password, hash)) return
  // What is not counted is not told: the limit is exact, however many guesses arrive at once.
  if (!(await ports.gates.addFailure(id))) await refuse(ports, id)
  throw sharePasswordInvalid(false)
}

/**
 * Counts a view of a gated share, and gives the grant for it.
 * @param password empty for none.
 * @throws DomainError `not_found`, `share_password_invalid`, `rate_limited`, `unavailable`; `checkNotEnded`'s.
 */
export async function revealShare(ports: Ports, id: ShareId, password: string): Promise<RevealedShare> {
  const { passwordHash } = await findOpen(ports, id)
  if (passwordHash !== null) await checkPassword(ports, id, password, passwordHash)
  const grant = ports.ids.grant()
  const granted = await ports.gates.grant(id, ports.hashing.sha256(grant))
  if (granted === null) return refuse(ports, id)
  // The view is counted; if its event cannot be added now, the job does it.
  await ports.shares.queueViewEvents(eventsMax).catch(() => {})
  return { ...granted, grant }
}
