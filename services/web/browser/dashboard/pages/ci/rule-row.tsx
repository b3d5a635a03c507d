import { useId, useState } from 'react'
import type { TrustedPublisher, TrustedPublisherEvents } from '#sdk/exports.js'
import { knownText, text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { trustKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Button } from '../../kit/button.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Pairs } from '../../kit/fact-list.js'
import { Icon } from '../../kit/icon.js'
import { Loaded } from '../../kit/loaded.js'
import { Moment } from '../../kit/moment.js'
import { DeleteButton, RecordRow } from '../../kit/record-list.js'
import { relativeTime } from '../../kit/relative-time.js'
import { type Claims, issuerName } from './rule-claims.js'

type Attempt = TrustedPublisherEvents['events'][number]

const refreshMs = 10_000

function outcome({ reason, claim }: Attempt): string {
  if (reason === null) return text('ci.issued')
  return knownText(`refused.${reason}`, { claim: claim ?? '' }) ?? reason
}

function PinDialog({
  rule,
  pin,
  claims,
  onClose,
}: {
  readonly rule: TrustedPublisher
  readonly pin: Claims
  readonly claims: Claims
  onClose(): void
}) {
  const replaces = Object.keys(pin).some((name) => Object.hasOwn(rule.claims, name))
  return (
    <ConfirmChange
      title={text('ci.pinTitle')}
      action={text('ci.pinAction')}
      change={({ trustedPublishers }) =>
        trustedPublishers.update(rule.id, { claims: { ...rule.claims, ...pin } })
      }
      outdated={[trustKey]}
      done={() => text('ci.pinned')}
      onClose={onClose}
    >
      <p>{text(replaces ? 'ci.pinReplaces' : 'ci.pinAbout', { repository: rule.repository ?? rule.name })}</p>
      <Pairs look="claims mono" facts={Object.entries({ ...claims, ...pin })} />
    </ConfirmChange>
  )
}

/** The latest token requests of a rule: why each was rejected, and which ids would let it pass. */
function AttemptsPanel({ rule }: { readonly rule: TrustedPublisher }) {
  const found = useApiQuery(
    [...trustKey, rule.id, 'attempts'],
    (api, options) => api.trustedPublishers.events(rule.id, options),
    { refetchInterval: refreshMs },
  )
  return (
    <Loaded query={found} lines={2}>
      {(attempts) =>
        attempts.length === 0 ? (
          <p className="hint">{text('ci.noAttempts')}</p>
        ) : (
          <Attempts rule={rule} attempts={attempts} />
        )
      }
    </Loaded>
  )
}

function Attempts({
  rule,
  attempts,
}: {
  readonly rule: TrustedPublisher
  readonly attempts: readonly Attempt[]
}) {
  const [pinning, setPinning] = useState<Attempt | null>(null)
  return (
    <>
      <ol className="attempts" aria-label={text('ci.attemptsOf', { name: rule.name })}>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <p>
              <strong>{outcome(attempt)}</strong> <Moment at={attempt.at} />
            </p>
            <details>
              <summary>{text('ci.showClaims')}</summary>
              <Pairs look="claims mono" facts={Object.entries(attempt.claims)} />
            </details>
            {attempt.pin !== null && (
              <Button size="small" onPress={() => setPinning(attempt)}>
                {text('ci.pin')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {pinning !== null && pinning.pin !== null && (
        <PinDialog rule={rule} pin={pinning.pin} claims={pinning.claims} onClose={() => setPinning(null)} />
      )}
    </>
  )
}

function stateOf({ disabled_at: disabled, pinned }: TrustedPublisher): string {
  if (disabled !== null) return text('ci.stateDisabled')
  return text(pinned ? 'ci.stateOn' : 'ci.stateWaiting')
}

/** One rule of the list, with its attempts on request. */
export function RuleRow({
  rule,
  onDelete,
}: {
  readonly rule: TrustedPublisher
  onDelete(rule: TrustedPublisher): void
}) {
  const panel = useId()
  const [isOpen, setOpen] = useState(!rule.pinned)
  const { id, name, issuer, scopes, last_used_at: used } = rule
  const when = used === null ? '' : relativeTime(Date.parse(used), Date.now())
  return (
    <RecordRow
      title={<span className="row-title">{name}</span>}
      facts={{
        issuer: issuerName(issuer),
        state: <span className="badge">{stateOf(rule)}</span>,
        scopes: scopes.map((scope) => text(`keys.${scope}`)).join(', '),
        used: used === null ? text('keys.neverUsed') : text('keys.lastUsed', { when }),
        requests: text('keys.requests', { count: rule.request_count }),
      }}
      details={
        Object.keys(rule.claims).length > 0 && (
          <Pairs look="claims mono" facts={Object.entries(rule.claims)} />
        )
      }
      actions={
        <>
          <CopyButton value={id} label={text('ci.copyId')} />
          <Button size="small" aria-expanded={isOpen} aria-controls={panel} onPress={() => setOpen(!isOpen)}>
            {text('ci.attempts')}
            <span className="hidden">{name}</span>
            <Icon name="down" />
          </Button>
          <DeleteButton label={text('ci.delete', { name })} onPress={() => onDelete(rule)} />
        </>
      }
    >
      <div className="row-more" id={panel} hidden={!isOpen}>
        {isOpen && <AttemptsPanel rule={rule} />}
      </div>
    </RecordRow>
  )
}
