import { type EventPrincipal, ownerPrincipal } from '../domain/content-event.js'
import { draftShare, type Share, shareFromText, shareQuota } from '../domain/share.js'
import { decideExpiry, type WantedExpiry } from '../domain/share-expiry.js'
import { checkGate, type NewGate, type WantedGate } from '../domain/share-gate.js'
import { type DataContent, diskFull, storageQuota } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData, type Requester } from './digest-data.js'
import { type IdempotentResult, runIdempotent } from './run-idempotent.js'

export interface CreateShare extends Requester {
  /** The owner's credential it was made with; its label is not recorded. */
  readonly principal?: EventPrincipal | null | undefined
  readonly tool: string
  readonly title: string
  readonly data: DataContent
  readonly expiry: WantedExpiry
  readonly idempotencyKey: string | null
  /** If true, a retry may have a different title. */
  readonly titleIsGenerated?: boolean
  /** The rules of the secrets that the owner publishes knowingly. */
  readonly allowedSecrets?: readonly string[]
  /** Only a share without a gate is public. */
  readonly gate?: WantedGate | null
}

type Ports = Pick<
  ContentPorts,
  'shares' | 'registry' | 'idempotency' | 'hashing' | 'passwords' | 'ids' | 'diskIsFull'
>

/**
 * A retry must have the same password. Its slow hash is the only digest of it that is stored: anything faster would
 * help whoever steals it. A retry is compared with that hash, and gets no new one.
 */
function withPassword(fingerprint: string, hash: string): string {
  return `${fingerprint} ${hash}`
}

async function hasPassword(
  { passwords }: Pick<Ports, 'passwords'>,
  known: string,
  fingerprint: string,
  password: string,
): Promise<boolean> {
  const before = withPassword(fingerprint, '')
  return known.startsWith(before) && passwords.verify(password, known.slice(before.length))
}

/**
 * Publishes a share.
 * @throws DomainError `validation_failed`, `data_too_large`, `share_limit_reached`,
 * `storage_limit_reached`, the two idempotency codes, `unavailable`.
 */
export async function createShare(ports: Ports, request: CreateShare): Promise<IdempotentResult<Share>> {
  const { ownerId, principal, plan, limits, tool, title, expiry, idempotencyKey, gate = null } = request
  if (gate !== null) checkGate(gate)
  const data = await digestData(ports, request.data, plan, limits)
  const expiryBy = expiry.kind === 'default' ? 'plan' : 'owner'
  const { allowedSecrets = [] } = request
  const id = gate === null ? ports.ids.share() : ports.ids.gatedShare()
  const draft = draftShare({ id, ownerId, tool, title, data, expiryBy, allowedSecrets })
  const titleGiven = request.titleIsGenerated === true ? null : draft.title
  const password = gate?.password ?? null
  const asked = [tool, titleGiven, expiry, data.digest, ...(gate === null ? [] : [gate.viewsMax])]
  const fingerprint = ports.hashing.sha256(JSON.stringify(asked))
  return runIdempotent(ports, {
    key: idempotencyKey === null ? null : { ownerId, operation: 'create-share', key: idempotencyKey },
    holder: data.kind === 'document' ? data.id : ports.ids.holder(),
    fingerprint,
    ...(password === null ? {} : { matches: (known) => hasPassword(ports, known, fingerprint, password) }),
    effect: async (completion) => {
      if (ports.diskIsFull()) throw diskFull()
      const quotas = { live: shareQuota(plan, limits), storage: storageQuota(plan, limits) }
      const expiryAt = (now: Date): Date | null => decideExpiry(expiry, plan, limits, now)
      const by = principal ?? ownerPrincipal
      if (gate === null) return ports.shares.add(draft, expiryAt, completion, quotas, by)
      const passwordHash = password === null ? null : await ports.passwords.hash(password)
      const gated = { ...draft, gate: { passwordHash, viewsMax: gate.viewsMax } satisfies NewGate }
      const completed =
        completion === null || passwordHash === null
          ? completion
          : { ...completion, fingerprint: withPassword(fingerprint, passwordHash) }
      return ports.shares.add(gated, expiryAt, completed, quotas, by)
    },
    restore: shareFromText,
  })
}
