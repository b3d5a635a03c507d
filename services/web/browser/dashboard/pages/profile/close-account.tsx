import { useState } from 'react'
import type { Profile } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Button } from '../../kit/button.js'
import { TextField } from '../../kit/text-field.js'

/** Closes the account once its name is typed. The page of a closed account follows by itself. */
function CloseDialog({ name, onClose }: { readonly name: string; onClose(): void }) {
  const [typed, setTyped] = useState('')
  return (
    <ConfirmChange
      title={text('closure.title')}
      action={text('closure.close')}
      change={(api) => api.account.close(typed)}
      outdated={[profileKey]}
      done={() => text('closure.closedToast')}
      onClose={onClose}
    >
      <p>{text('closure.about')}</p>
      <TextField
        label={text('closure.confirm', { name })}
        value={typed}
        onChange={setTyped}
        maxLength={320}
        autoComplete="off"
      />
    </ConfirmChange>
  )
}

/** The way out, at the end of the profile. */
export function CloseAccount({ profile: { id, email } }: { readonly profile: Profile }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <section className="panel" aria-labelledby="close-account">
      <h2 id="close-account">{text('closure.section')}</h2>
      <p>{text('closure.hint')}</p>
      <Button variant="danger" onPress={() => setAsked(true)}>
        {text('closure.ask')}
      </Button>
      {isAsked && <CloseDialog name={email ?? id} onClose={() => setAsked(false)} />}
    </section>
  )
}
