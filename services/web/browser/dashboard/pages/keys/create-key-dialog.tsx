import type { CreatedApiKey } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { CheckGroup } from '../../kit/check-group.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { Select } from '../../kit/select.js'
import { TextField } from '../../kit/text-field.js'
import { type ExpiryChoice, offeredDays } from './key-expiry.js'
import { useNewKey } from './use-new-key.js'

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
  onCreated(key: CreatedApiKey): void
  onClose(): void
}) {
  const draft = useNewKey(onCreated)
  return (
    <FormDialog title={text('keys.new')} action={text('keys.create')} draft={draft} onClose={onClose}>
      <Fields draft={draft} />
    </FormDialog>
  )
}
