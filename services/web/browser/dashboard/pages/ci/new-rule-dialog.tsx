import { useEffect, useId, useRef } from 'react'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { CheckGroup } from '../../kit/check-group.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
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
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const draft = useNewRule(issuers, onClose)
  // Focus the invalid field once it is marked.
  useEffect(() => {
    if (draft.tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [draft.tries])
  return (
    <Dialog title={text('ci.new')} isOpen onClose={onClose}>
      <form
        className="dialog-body"
        id={id}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          draft.submit()
        }}
      >
        <Fields draft={draft} issuers={issuers} />
        {draft.error !== null && <ProblemNotice error={draft.error} />}
      </form>
      <DialogActions>
        <Button onPress={onClose}>{text('kit.cancel')}</Button>
        <Button variant="primary" type="submit" form={id} isPending={draft.isPending}>
          {text('ci.create')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
