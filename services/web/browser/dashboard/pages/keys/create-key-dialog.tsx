import { useState } from 'react'
import type { CreateApiKeyData, CreatedApiKey, Fields } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { keysKey, profileKey } from '../../api/query-keys.js'
import { useCreation } from '../../api/use-creation.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { keyScopes, ScopeGroup } from '../../kit/scope-group.js'
import { Select } from '../../kit/select.js'
import { TextField } from '../../kit/text-field.js'

const daySeconds = 86_400

/** The lifetimes to choose from, in days. */
const offeredDays = [7, 30, 90, 365] as const

/** When a new key expires: after this many days, never, or on a chosen date. */
type ExpiryChoice = `${(typeof offeredDays)[number]}` | 'never' | 'date'

/**
 * The moment after the end of a day such as `2030-01-31` in the reader's time zone; `null` if it is not a
 * date.
 */
function endOf(date: string): number | null {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const next = new Date(year, month - 1, day + 1).getTime()
  return date === '' || Number.isNaN(next) ? null : next
}

/** The request field for a choice; `null` if the chosen date has passed. */
export function keyExpiry(
  choice: ExpiryChoice,
  lastDay: string,
  nowMs: number,
): { readonly expires_in?: number } | null {
  if (choice === 'never') return {}
  if (choice !== 'date') return { expires_in: Number(choice) * daySeconds }
  const end = endOf(lastDay)
  if (end === null || end <= nowMs) return null
  return { expires_in: Math.max(60, Math.floor((end - nowMs) / 1_000)) }
}

/** The fields of the form. */
interface KeyFields {
  readonly name: string
  readonly scopes: readonly (typeof keyScopes)[number][]
  readonly expiry: ExpiryChoice
  /** Such as `2030-01-31`; used when a date was chosen. */
  readonly lastDay: string
}

const first: KeyFields = { name: '', scopes: ['read', 'write'], expiry: '90', lastDay: '' }

/** The state of the form for a new key. Errors show after the first submit. */
function useNewKey(onCreated: (key: CreatedApiKey) => void) {
  const [fields, setFields] = useState(first)
  const [tries, setTries] = useState(0)
  const creation = useCreation(
    (api, key: Fields<CreateApiKeyData['body']>, options) => api.keys.create(key, options),
    [keysKey, profileKey],
    onCreated,
  )
  const expiry = keyExpiry(fields.expiry, fields.lastDay, Date.now())
  const name = fields.name.trim()
  const isTried = tries > 0
  return {
    fields,
    change: (changes: Partial<KeyFields>): void => setFields({ ...fields, ...changes }),
    tries,
    wrong: {
      name: isTried && name === '',
      scopes: isTried && fields.scopes.length === 0,
      lastDay: isTried && expiry === null,
    },
    error: creation.error,
    isPending: creation.isPending,
    submit(): void {
      setTries(tries + 1)
      if (name !== '' && fields.scopes.length > 0 && expiry !== null)
        creation.mutate({ name, scopes: fields.scopes, ...expiry })
    },
  }
}

const expiryChoices: readonly { readonly id: ExpiryChoice; readonly label: string }[] = [
  ...offeredDays.map((count) => ({ id: `${count}` as const, label: text('keys.days', { count }) })),
  { id: 'never', label: text('snippets.never') },
  { id: 'date', label: text('keys.onDate') },
]

function KeyInputs({ draft: { fields, change, wrong } }: { draft: ReturnType<typeof useNewKey> }) {
  return (
    <>
      <TextField
        label={text('snippets.name')}
        description={text('keys.nameHint')}
        value={fields.name}
        onChange={(name) => change({ name })}
        maxLength={100}
        autoFocus
        error={wrong.name ? text('keys.noName') : null}
      />
      <ScopeGroup
        scopes={keyScopes}
        value={fields.scopes}
        onChange={(scopes) => change({ scopes })}
        isMissing={wrong.scopes}
      />
      <Select
        label={text('snippets.expires')}
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
      <KeyInputs draft={draft} />
    </FormDialog>
  )
}
