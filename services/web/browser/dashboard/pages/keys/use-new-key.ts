import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ApiKey, CreateApiKeyData, CreatedApiKey, Fields } from '#sdk/exports.js'
import { useApi } from '../../api/api-context.js'
import { keysKey, profileKey } from '../../api/query-keys.js'
import { type ExpiryChoice, keyExpiry } from './key-expiry.js'

/** The fields of the form. */
export interface KeyFields {
  readonly name: string
  readonly scopes: readonly ApiKey['scopes'][number][]
  readonly expiry: ExpiryChoice
  /** Such as `2030-01-31`; used when a date was chosen. */
  readonly lastDay: string
}

const first: KeyFields = { name: '', scopes: ['read', 'write'], expiry: '90', lastDay: '' }

/** Creates keys. Retrying after a lost response does not create a second one. */
function useCreateKey(onCreated: (key: CreatedApiKey) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const attempt = useRef({ fields: '', id: '' })
  return useMutation({
    mutationFn: (fields: Fields<CreateApiKeyData['body']>) => {
      const said = JSON.stringify(fields)
      if (attempt.current.fields !== said) attempt.current = { fields: said, id: crypto.randomUUID() }
      return api.keys.create(fields, { idempotencyKey: attempt.current.id })
    },
    onSuccess: (created) => {
      onCreated(created)
      void queries.invalidateQueries({ queryKey: keysKey })
      void queries.invalidateQueries({ queryKey: profileKey })
    },
  })
}

/** The state of the form for a new key. Errors show after the first submit. */
export function useNewKey(onCreated: (key: CreatedApiKey) => void) {
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
