import { text } from '../../../../texts/text.js'
import { CheckGroup } from '../../kit/check-group.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { Select } from '../../kit/select.js'
import { TextField } from '../../kit/text-field.js'
import { issuerName } from './issuer-name.js'
import { hasRepositories } from './rule-claims.js'
import { useNewRule } from './use-new-rule.js'

const scopeChoices = [
  { id: 'read', label: text('keys.read'), about: text('keys.readAbout') },
  { id: 'write', label: text('keys.write'), about: text('keys.writeAbout') },
] as const

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

function Fields({ draft, issuers }: { readonly draft: Draft; readonly issuers: readonly string[] }) {
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
      <CheckGroup
        label={text('keys.scopes')}
        choices={scopeChoices}
        value={fields.scopes}
        onChange={(scopes) => change({ scopes })}
        error={wrong.scopes ? text('keys.noScope') : null}
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
      <Fields draft={draft} issuers={issuers} />
    </FormDialog>
  )
}
