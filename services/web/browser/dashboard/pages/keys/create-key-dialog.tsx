import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { type ApiKey, createKey, type KeyScope, type NewKey } from '../../api/keys.js'
import { profileKey } from '../../api/profile.js'
import { Button } from '../../kit/button.js'
import { CheckGroup } from '../../kit/check-group.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { TextField } from '../../kit/text-field.js'
import { keyExpiry } from './key-expiry.js'
import { type ChosenExpiry, KeyExpiryField } from './key-expiry-field.js'
import { keysKey } from './keys-key.js'

function useCreateKey(onCreated: (key: ApiKey & { readonly key: string }) => void) {
  const api = useApi()
  const queries = useQueryClient()
  // One for all attempts: a key whose answer was lost is not made a second time.
  const attempt = useRef({ wish: '', id: '' })
  return useMutation({
    mutationFn: (wish: NewKey) => {
      const said = JSON.stringify(wish)
      if (attempt.current.wish !== said) attempt.current = { wish: said, id: crypto.randomUUID() }
      return createKey(api, wish, attempt.current.id)
    },
    onSuccess: (created) => {
      onCreated(created)
      void queries.invalidateQueries({ queryKey: keysKey })
      void queries.invalidateQueries({ queryKey: profileKey })
    },
  })
}

/** Asks what a new key shall be, and makes it. */
export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated(key: ApiKey & { readonly key: string }): void
  onClose(): void
}) {
  const form = useId()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['read', 'write'])
  const [chosen, setChosen] = useState<ChosenExpiry>({ choice: '90', lastDay: '' })
  const [tries, setTries] = useState(0)
  const element = useRef<HTMLFormElement>(null)
  // What is wrong takes the focus, once it is marked.
  useEffect(() => {
    if (tries > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  const creation = useCreateKey(onCreated)
  const expiry = keyExpiry(chosen.choice, chosen.lastDay, Date.now())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTries(tries + 1)
    if (name.trim() !== '' && scopes.length > 0 && expiry !== null)
      creation.mutate({ name: name.trim(), scopes, ...expiry })
  }
  const complain = (isWrong: boolean, words: string): string | null => (tries > 0 && isWrong ? words : null)
  return (
    <Dialog title={text('keys.new')} isOpen onClose={onClose}>
      <form className="dialog-body" id={form} ref={element} onSubmit={submit} noValidate>
        <TextField
          label={text('keys.name')}
          description={text('keys.nameHint')}
          value={name}
          onChange={setName}
          maxLength={100}
          autoFocus
          error={complain(name.trim() === '', text('keys.noName'))}
        />
        <CheckGroup
          label={text('keys.scopes')}
          choices={[
            { id: 'read', label: text('keys.read'), about: text('keys.readAbout') },
            { id: 'write', label: text('keys.write'), about: text('keys.writeAbout') },
          ]}
          value={scopes}
          onChange={setScopes}
          error={complain(scopes.length === 0, text('keys.noScope'))}
        />
        <KeyExpiryField
          value={chosen}
          onChange={setChosen}
          error={complain(expiry === null, text('keys.badDate'))}
        />
        {creation.error !== null && <ProblemNotice error={creation.error} />}
      </form>
      <DialogActions>
        <Button onPress={onClose}>{text('kit.cancel')}</Button>
        <Button variant="primary" type="submit" form={form} isPending={creation.isPending}>
          {text('keys.create')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
