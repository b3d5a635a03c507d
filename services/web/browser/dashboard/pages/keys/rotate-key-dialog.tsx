import { useState } from 'react'
import type { ApiKey, CreatedApiKey, RotateApiKeyData } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { keysKey } from '../../api/query-keys.js'
import { useCreation } from '../../api/use-creation.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { type Choice, Select } from '../../kit/select.js'

type Begins = NonNullable<NonNullable<RotateApiKeyData['body']>['begins']>

type Overlap = '0' | '3600' | '86400' | '604800'

const overlapChoices: readonly Choice<Overlap>[] = [
  { id: '0', label: text('keys.overlapNone') },
  { id: '3600', label: text('keys.overlapHour') },
  { id: '86400', label: text('keys.overlapDay') },
  { id: '604800', label: text('keys.overlapWeek') },
]

const beginChoices: readonly Choice<Begins>[] = [
  { id: 'first_use', label: text('keys.beginsFirstUse') },
  { id: 'now', label: text('keys.beginsNow') },
]

/** A dialog that rotates a key. Retrying after a lost response returns the same secret. */
export function RotateKeyDialog({
  apiKey,
  onRotated,
  onClose,
}: {
  readonly apiKey: ApiKey
  onRotated(key: CreatedApiKey): void
  onClose(): void
}) {
  const [overlap, setOverlap] = useState<Overlap>('86400')
  const [begins, setBegins] = useState<Begins>('first_use')
  const how = { overlap_seconds: Number(overlap), begins }
  const rotation = useCreation(
    (api, wanted: typeof how, options) => api.keys.rotate(apiKey.id, wanted, options),
    [keysKey],
    onRotated,
  )
  return (
    <FormDialog
      title={text('keys.rotateTitle', { name: apiKey.name })}
      action={text('keys.rotateAction')}
      draft={{ ...rotation, tries: 0, submit: () => rotation.mutate(how) }}
      onClose={onClose}
    >
      <p>{text('keys.rotateAbout')}</p>
      <Select
        label={text('keys.overlap')}
        choices={overlapChoices}
        value={overlap}
        onChange={(chosen) => setOverlap(chosen)}
      />
      <Select
        label={text('keys.begins')}
        choices={beginChoices}
        value={begins}
        onChange={(chosen) => setBegins(chosen)}
      />
      {begins === 'first_use' && <p className="hint">{text('keys.unusedHint')}</p>}
    </FormDialog>
  )
}
