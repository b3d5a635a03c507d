import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { CallOptions, CreatedShare, NewShare, Snipkeep } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { enforceSecretPolicy } from '../../secrets/find-data-secrets.js'
import { useProfile } from '../api/api-context.js'
import { profileKey, sharesKey } from '../api/query-keys.js'
import { type Output, useUpload } from '../api/use-upload.js'
import { Button } from '../kit/button.js'
import { CopyButton } from '../kit/copy-button.js'
import { Dialog, DialogActions } from '../kit/dialog.js'
import { exactMoment } from '../kit/moment.js'
import { Select } from '../kit/select.js'
import { TextField } from '../kit/text-field.js'
import {
  endOf,
  expiryChoices,
  expiryField,
  type GateFields,
  gateFields,
  longest,
  noGate,
  viewChoices,
} from './share-terms.js'

/** A choice of how long a share lives, with the date it expires. */
function ExpirySelect({
  ttlDays,
  value,
  onChange,
}: {
  /** The plan's maximum; `null` is unlimited. */
  readonly ttlDays: number | null
  readonly value: string
  onChange(value: string): void
}) {
  const end = endOf(value, ttlDays, Date.now())
  return (
    <div className="field">
      <Select
        label={text('snippets.expires')}
        choices={expiryChoices(ttlDays)}
        value={value}
        onChange={onChange}
      />
      <p className="hint" role="status">
        {end === null ? text('snippets.endsNever') : text('snippets.endsAt', { when: exactMoment(end) })}
      </p>
    </div>
  )
}

/** The inputs for what stands before a new share. */
function GateInputs({ value, onChange }: { readonly value: GateFields; onChange(value: GateFields): void }) {
  return (
    <>
      <Select
        label={text('gates.views')}
        choices={viewChoices()}
        value={value.views}
        onChange={(views) => onChange({ ...value, views })}
      />
      <TextField
        label={text('gate.password')}
        description={text('gates.passwordHint')}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        minLength={8}
        maxLength={128}
        autoComplete="off"
        spellCheck="false"
      />
    </>
  )
}

const publish = (api: Snipkeep, share: NewShare & Output, options: CallOptions) =>
  api.shares.create(share, options)

/** A share about to be made: its fields, and how to send it. */
export function useNewShare(onShared: (share: CreatedShare) => void) {
  const profile = useProfile()
  const [expiry, setExpiry] = useState(longest)
  const [gate, setGate] = useState(noGate)
  const sending = useUpload(publish)
  return {
    fields: (
      <>
        {profile.data !== undefined && (
          <ExpirySelect ttlDays={profile.data.limits.share_ttl_days} value={expiry} onChange={setExpiry} />
        )}
        <GateInputs value={gate} onChange={setGate} />
      </>
    ),
    sending,
    /** Asks before it publishes secrets: sending the same again says yes. */
    async send(make: (signal: AbortSignal) => Promise<Pick<NewShare, 'tool' | 'title'> & Output>) {
      const made = await sending.start(async (signal) => {
        const output = await make(signal)
        const allowed = await enforceSecretPolicy(output.json, sending.error)
        return {
          ...output,
          ...expiryField(expiry),
          ...gateFields(gate),
          allowSecrets: allowed || undefined,
        }
      })
      if (made !== null) onShared(made)
    },
  }
}

/** The link of a new share, ready to copy. */
function ShareLink({ share: { share_url: url, expires_at: end } }: { share: CreatedShare }) {
  return (
    <div className="dialog-body">
      <TextField label={text('share.link')} value={url} isReadOnly isMonospaced autoFocus />
      <div className="press-row">
        <CopyButton value={url} label={text('share.copyLink')} />
        <a className="press press-secondary press-small" href={url} target="_blank" rel="noreferrer">
          {text('snippets.openLink')}
        </a>
      </div>
      <p className="quiet" role="status">
        {end === null
          ? text('snippets.linkNever')
          : text('snippets.linkExpires', { when: exactMoment(new Date(end)) })}
      </p>
    </div>
  )
}

/** A dialog that creates a share with the form in `children`, then shows its link. */
export function MakeShareDialog({
  title,
  size = 'normal',
  onClose,
  children,
}: {
  readonly title: string
  readonly size?: 'normal' | 'wide'
  onClose(): void
  children(onShared: (share: CreatedShare) => void): ReactNode
}) {
  const queries = useQueryClient()
  const [made, setMade] = useState<CreatedShare | null>(null)
  const shared = (share: CreatedShare): void => {
    setMade(share)
    void queries.invalidateQueries({ queryKey: sharesKey })
    void queries.invalidateQueries({ queryKey: profileKey })
  }
  return (
    <Dialog title={title} isOpen onClose={onClose} size={size}>
      {made === null ? (
        children(shared)
      ) : (
        <>
          <ShareLink share={made} />
          <DialogActions>
            <Button onPress={onClose}>{text('snippets.done')}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
