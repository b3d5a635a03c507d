import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '../../api/api-context.js'
import { type ApiKey, createKey, type KeyScope, keysKey, type NewKey } from '../../api/keys.js'
import { profileKey } from '../../api/profile.js'
import { type ExpiryChoice, keyExpiry } from './key-expiry.js'

/** A new key with the only copy of its secret. */
export type CreatedKey = ApiKey & { readonly key: string }

/** The fields of the form. */
export interface KeyFields {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly expiry: ExpiryChoice
  /** Such as `2030-01-31`; used when a date was chosen. */
  readonly lastDay: string
}

const first: KeyFields = { name: '', scopes: ['read', 'write'], expiry: '90', lastDay: '' }

/** Creates keys. Retrying after a lost response does not create a second one. */
function useCreateKey(onCreated: (key: CreatedKey) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const attempt = useRef({ fields: '', id: '' })
  return useMutation({
    mutationFn: (fields: NewKey) => {
      const said = JSON.stringify(fields)
      if (attempt.current.fields !== said) attempt.current = { fields: said, id: crypto.randomUUID() }
      return createKey(api, fields, attempt.current.id)
    },
    onSuccess: (created) => {
      onCreated(created)
      void queries.invalidateQueries({ queryKey: keysKey })
      void queries.invalidateQueries({ queryKey: profileKey })
    },
  })
}

/** The state of the form for a new key. Errors show after the first submit. */
export function useNewKey(onCreated: (key: CreatedKey) => void) {
  const [fields, setFields] = useState(first)
  const [tries, setTries] = useState(0)
  const creation = useCreateKey(onCreated)
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
