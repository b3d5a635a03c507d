import { type ReactNode, useState } from 'react'
import type { Decision, Snipkeep } from '#sdk/exports.js'
import { knownText, text } from '../../../../texts/text.js'
import { operatorKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { TextField } from '../../kit/text-field.js'

/** What an operator decides; its texts have these names. */
type DecisionName = 'suspend' | 'resume' | 'grant' | 'endGrant' | 'close' | 'enable' | 'disable'

/** Asks why, and what the owner is told, and makes the change. */
export function DecisionDialog<Result>({
  name,
  tellsOwner = true,
  change,
  done = () => text(`operator.${name}Toast`),
  onClose,
  children,
}: {
  readonly name: DecisionName
  readonly tellsOwner?: boolean
  change(api: Snipkeep, decision: Decision): Promise<Result>
  /** The toast for this result, if there is more than one. */
  done?(result: Result): string
  onClose(): void
  readonly children?: ReactNode
}) {
  const about = knownText(`operator.${name}About`)
  const [reason, setReason] = useState('')
  const [message, setMessage] = useState('')
  const told = message.trim()
  return (
    <ConfirmChange
      title={text(`operator.${name}Title`)}
      action={text(`operator.${name}`)}
      change={(api) => change(api, { reason: reason.trim(), ...(told === '' ? {} : { message: told }) })}
      outdated={[operatorKey]}
      done={done}
      onClose={onClose}
    >
      {about !== null && <p>{about}</p>}
      {children}
      <TextField
        label={text('operator.reason')}
        description={text('operator.reasonHint')}
        value={reason}
        onChange={setReason}
        maxLength={1_000}
        rows={3}
        autoFocus
        isRequired
      />
      {tellsOwner && (
        <TextField
          label={text('operator.message')}
          description={text('operator.messageHint')}
          value={message}
          onChange={setMessage}
          maxLength={500}
          rows={2}
        />
      )}
    </ConfirmChange>
  )
}
