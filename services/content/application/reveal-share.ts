import { unavailable } from '#libs/core/domain-error.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import type { FoundGatedShare } from '../domain/found-share.js'
import type { ShareId } from '../domain/ids.js'
import { type Share, shareNotFound } from '../domain/share.js'
import { sharePasswordInvalid, sharePasswordsLimited } from '../domain/share-gate.js'
import type { ContentPorts } from '../ports.js'
import { checkNotEnded } from './read-share.js'

/** What someone who opens a gated share says. */
export interface RevealingReader {
  /** Empty for none. */
  readonly password: string
  /** Of the format of a grant, random, and the same when the call is repeated; empty for none. */
  readonly attempt: string
}

/** A share with the grant that opens it. */
export interface RevealedShare {
  readonly share: Share
  readonly grant: string
  readonly expiresAt: Date
}

type Ports = Pick<ContentPorts, 'gates' | 'shares' | 'passwords' | 'ids' | 'hashing'>
type Given = Omit<RevealedShare, 'grant'>

/** Shares whose new views become events at once; the job finds others. */
const eventsMax = 10

/**
 * The share, if this grant opens it already or someone may come in.
 * @throws DomainError `not_found`, `rate_limited`; `checkNotEnded`'s.
 */
async function findOpen(
  { gates }: Pick<Ports, 'gates'>,
  id: ShareId,
  accessGrantDigest: string,
): Promise<FoundGatedShare> {
  const read = { includeData: false, accessGrantDigest, accountId: null }
  const found = isGatedShareId(id) ? await gates.find(id, read) : null
  if (found === null) throw shareNotFound()
  checkNotEnded(found)
  if (found.access === null && found.limitedForMs > 0) throw sharePasswordsLimited(found.limitedForMs)
  return found
}

/** What the grant of an earlier or concurrent call opens; `null` if there was none. */
function givenBefore({ record, grantExpiresAt }: FoundGatedShare): Given | null {
  return grantExpiresAt === null ? null : { share: record, expiresAt: grantExpiresAt }
}

/**
 * Counts a view, if the password is right; `null` if the store refused what was possible a moment ago.
 * @throws DomainError `share_password_invalid`, `unavailable`.
 */
async function addView(
  ports: Ports,
  { record: { id }, passwordHash }: FoundGatedShare,
  password: string,
  accessGrantDigest: string,
): Promise<Given | null> {
  if (passwordHash !== null) {
    if (password === '') throw sharePasswordInvalid(true)
    if (!(await ports.passwords.verify(password, passwordHash))) {
      // Only a guess that was counted is answered, so the limit is exact however many arrive at once.
      if (!(await ports.gates.addFailure(id))) return null
      throw sharePasswordInvalid(false)
    }
  }
  const given = await ports.gates.grant(id, accessGrantDigest)
  // The view is counted; if its event cannot be added now, the job does it.
  if (given !== null) await ports.shares.queueViewEvents(eventsMax).catch(() => {})
  return given
}

/** Someone else was faster: what the same attempt was given meanwhile, or else why there is no view. */
async function giveAgain(ports: Ports, id: ShareId, accessGrantDigest: string): Promise<Given> {
  const given = givenBefore(await findOpen(ports, id, accessGrantDigest))
  if (given === null) throw unavailable('Too many people are opening this share. Try again.')
  return given
}

/**
 * Counts a view of a gated share, and gives the grant for it. While the grant of the same attempt is valid, gives that
 * one, without asking for the password and without counting.
 * @throws DomainError `not_found`, `share_password_invalid`, `rate_limited`, `unavailable`; `checkNotEnded`'s.
 */
export async function revealShare(
  ports: Ports,
  id: ShareId,
  { password, attempt }: RevealingReader,
): Promise<RevealedShare> {
  // The attempt itself is the grant. Deriving one would protect nothing: whoever knows the attempt gets its grant by
  // repeating the call. It has as many random bits as a grant, and is stored as its digest alone.
  const grant = attempt === '' ? ports.ids.accessGrant() : attempt
  const accessGrantDigest = ports.hashing.sha256(grant)
  const found = await findOpen(ports, id, accessGrantDigest)
  const given =
    givenBefore(found) ??
    (await addView(ports, found, password, accessGrantDigest)) ??
    (await giveAgain(ports, id, accessGrantDigest))
  return { ...given, grant }
}
