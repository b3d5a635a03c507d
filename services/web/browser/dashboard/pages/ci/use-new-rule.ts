import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CreateTrustedPublisherData, Fields } from '#sdk/exports.js'
import { useApi } from '../../api/api-context.js'
import { trustKey } from '../../api/query-keys.js'
import { claimsOf, hasRepositories, isRepository, type RuleFields, ruleOf } from './rule-claims.js'

/** The state of the form for a new rule. Errors show after the first submit. */
export function useNewRule(issuers: readonly string[], onCreated: () => void) {
  const api = useApi()
  const queries = useQueryClient()
  const attempt = useRef({ said: '', id: '' })
  const [tries, setTries] = useState(0)
  const [fields, setFields] = useState<RuleFields>({
    issuer: issuers[0] ?? 'github',
    repository: '',
    branch: '',
    environment: '',
    lines: '',
    scopes: ['read', 'write'],
  })
  const creation = useMutation({
    mutationFn: (rule: Fields<CreateTrustedPublisherData['body']>) => {
      const said = JSON.stringify(rule)
      if (attempt.current.said !== said) attempt.current = { said, id: crypto.randomUUID() }
      return api.trustedPublishers.create(rule, { idempotencyKey: attempt.current.id })
    },
    onSuccess: () => {
      onCreated()
      void queries.invalidateQueries({ queryKey: trustKey })
    },
  })
  const isTried = tries > 0
  return {
    fields,
    change: (changes: Partial<RuleFields>): void => setFields({ ...fields, ...changes }),
    tries,
    wrong: {
      repository: isTried && hasRepositories(fields.issuer) && !isRepository(fields.repository),
      claims: isTried && claimsOf(fields) === null,
      scopes: isTried && fields.scopes.length === 0,
    },
    error: creation.error,
    isPending: creation.isPending,
    submit(): void {
      setTries(tries + 1)
      const rule = ruleOf(fields)
      if (rule !== null) creation.mutate(rule)
    },
  }
}
