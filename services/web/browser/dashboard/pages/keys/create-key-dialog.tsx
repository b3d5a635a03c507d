import { useEffect, useId, useRef } from 'react'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { CheckGroup } from '../../kit/check-group.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { Select } from '../../kit/select.js'
import { TextField } from '../../kit/text-field.js'
import { type ExpiryChoice, offeredDays } from './key-expiry.js'
import { type CreatedKey, useNewKey } from './use-new-key.js'

const expiryChoices: readonly { readonly id: ExpiryChoice; readonly label: string }[] = [
  ...offeredDays.map((count) => ({ id: `${count}` as const, label: text('keys.days', { count }) })),
  { id: 'never', label: text('keys.never') },
  { id: 'date', label: text('keys.onDate') },
]

const scopeChoices = [
  { id: 'read', label: text('keys.read'), about: text('keys.readAbout') },
  { id: 'write', label: text('keys.write'), about: text('keys.writeAbout') },
] as const

function Fields({ draft: { fields, change, wrong } }: { draft: ReturnType<typeof useNewKey> }) {
  return (
    <>
      <TextField
        label={text('keys.name')}
        description={text('keys.nameHint')}
        value={fields.name}
        onChange={(name) => change({ name })}
        maxLength={100}
        autoFocus
        error={wrong.name ? text('keys.noName') : null}
      />
      <CheckGroup
        label={text('keys.scopes')}
        choices={scopeChoices}
        value={fields.scopes}
        onChange={(scopes) => change({ scopes })}
        error={wrong.scopes ? text('keys.noScope') : null}
      />
      <Select
        label={text('keys.expiry')}
        choices={expiryChoices}
        value={fields.expiry}
        onChange={(expiry) => change({ expiry })}
      />
      {fields.expiry === 'date' && (
        <TextField
          label={text('keys.date')}
          type="date"
          value={fields.lastDay}
          onChange={(lastDay) => change({ lastDay })}
          error={wrong.lastDay ? text('keys.badDate') : null}
        />
      )}
    </>
  )
}

/** A dialog that creates a key. */
export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated(key: CreatedKey): void
  onClose(): void
}) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const draft = useNewKey(onCreated)
  // Focus the invalid field once it is marked.
  useEffect(() => {
    if (draft.tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [draft.tries])
  return (
    <Dialog title={text('keys.new')} isOpen onClose={onClose}>
      <form
        className="dialog-body"
        id={id}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          draft.submit()
        }}
      >
        <Fields draft={draft} />
        {draft.error !== null && <ProblemNotice error={draft.error} />}
      </form>
      <DialogActions>
        <Button onPress={onClose}>{text('kit.cancel')}</Button>
        <Button variant="primary" type="submit" form={id} isPending={draft.isPending}>
          {text('keys.create')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
