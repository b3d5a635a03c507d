import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Snipkeep } from '#sdk/exports.js'
import { useApi } from './api-context.js'

/**
 * Creates what the fields of a form say. Retrying after a lost response does not create a second one.
 * @param outdated what is fetched again.
 */
export function useCreation<Sent, Created>(
  create: (api: Snipkeep, sent: Sent, options: { readonly idempotencyKey: string }) => Promise<Created>,
  outdated: readonly QueryKey[],
  onCreated: (created: Created) => void,
) {
  const api = useApi()
  const queries = useQueryClient()
  const attempt = useRef({ said: '', id: '' })
  return useMutation({
    mutationFn: (sent: Sent) => {
      const said = JSON.stringify(sent)
      if (attempt.current.said !== said) attempt.current = { said, id: crypto.randomUUID() }
      return create(api, sent, { idempotencyKey: attempt.current.id })
    },
    onSuccess: (created) => {
      onCreated(created)
      for (const queryKey of outdated) void queries.invalidateQueries({ queryKey })
    },
  })
}
