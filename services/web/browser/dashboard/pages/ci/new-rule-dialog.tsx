import { useState } from 'react'
import type { CreateTrustedPublisherData, Fields } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { trustKey } from '../../api/query-keys.js'
import { useCreation } from '../../api/use-creation.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { jobScopes, ScopeGroup } from '../../kit/scope-group.js'
import { Select } from '../../kit/select.js'
import { TextField } from '../../kit/text-field.js'
import {
  claimsOf,
  hasRepositories,
  isRepository,
  issuerName,
  type RuleFields,
  ruleOf,
} from './rule-claims.js'

/** The state of the form for a new rule. Errors show after the first submit. */
function useNewRule(issuers: readonly string[], onCreated: () => void) {
  const [tries, setTries] = useState(0)
  const [fields, setFields] = useState<RuleFields>({
    issuer: issuers[0] ?? 'github',
    repository: '',
    branch: '',
    environment: '',
    lines: '',
    scopes: ['read', 'write'],
  })
  const creation = useCreation(
    (api, rule: Fields<CreateTrustedPublisherData['body']>, options) =>
      api.trustedPublishers.create(rule, options),
    [trustKey],
    onCreated,
  )
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

type Draft = ReturnType<typeof useNewRule>

function RepositoryFields({ draft: { fields, change, wrong } }: { readonly draft: Draft }) {
  return (
    <>
      <TextField
        label={text('ci.repository')}
        description={text('ci.repositoryHint')}
        value={fields.repository}
        onChange={(repository) => change({ repository })}
        maxLength={255}
        error={wrong.repository ? text('ci.noRepository') : null}
      />
      <TextField
        label={text('ci.branch')}
        description={text('ci.anyHint')}
        value={fields.branch}
        onChange={(branch) => change({ branch })}
        maxLength={200}
      />
      <TextField
        label={text('ci.environment')}
        description={text('ci.anyHint')}
        value={fields.environment}
        onChange={(environment) => change({ environment })}
        maxLength={200}
      />
    </>
  )
}

function RuleInputs({ draft, issuers }: { readonly draft: Draft; readonly issuers: readonly string[] }) {
  const { fields, change, wrong } = draft
  return (
    <>
      <Select
        label={text('ci.issuer')}
        choices={issuers.map((id) => ({ id, label: issuerName(id) }))}
        value={fields.issuer}
        onChange={(issuer) => change({ issuer })}
      />
      {hasRepositories(fields.issuer) ? (
        <RepositoryFields draft={draft} />
      ) : (
        <TextField
          label={text('ci.claims')}
          description={text('ci.claimsHint')}
          rows={4}
          isMonospaced
          value={fields.lines}
          onChange={(lines) => change({ lines })}
          error={wrong.claims ? text('ci.noClaims') : null}
        />
      )}
      <ScopeGroup
        scopes={jobScopes}
        value={fields.scopes}
        onChange={(scopes) => change({ scopes })}
        isMissing={wrong.scopes}
      />
    </>
  )
}

/** A dialog that creates a rule. */
export function NewRuleDialog({
  issuers,
  onClose,
}: {
  readonly issuers: readonly string[]
  onClose(): void
}) {
  const draft = useNewRule(issuers, onClose)
  return (
    <FormDialog title={text('ci.new')} action={text('ci.create')} draft={draft} onClose={onClose}>
      <RuleInputs draft={draft} issuers={issuers} />
    </FormDialog>
  )
}
