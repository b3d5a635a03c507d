import { type ReactNode, useState } from 'react'
import type { Decision, Snipkeep } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { operatorKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { TextField } from '../../kit/text-field.js'

/** Asks why, and what the owner is told, and makes the change. */
export function DecisionDialog({
  title,
  action,
  done,
  tellsOwner = true,
  change,
  onClose,
  children,
}: {
  readonly title: string
  /** The button's label, a verb. */
  readonly action: string
  /** The toast. */
  readonly done: string
  readonly tellsOwner?: boolean
  change(api: Snipkeep, decision: Decision): Promise<unknown>
  onClose(): void
  readonly children?: ReactNode
}) {
  const [reason, setReason] = useState('')
  const [message, setMessage] = useState('')
  const told = message.trim()
  return (
    <ConfirmChange
      title={title}
      action={action}
      change={(api) => change(api, { reason: reason.trim(), ...(told === '' ? {} : { message: told }) })}
      outdated={[operatorKey]}
      done={() => done}
      onClose={onClose}
    >
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
