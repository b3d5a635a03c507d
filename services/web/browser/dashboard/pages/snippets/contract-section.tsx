import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PreconditionFailedError, type SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi, useApiQuery } from '../../api/api-context.js'
import { contractKey, profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { focusHeading } from '../../frame/page-heading.js'
import { hasTools } from '../../frame/sections.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { Icon } from '../../kit/icon.js'
import { Moment } from '../../kit/moment.js'
import { Notice } from '../../kit/notice.js'
import { DeleteButton } from '../../kit/record-list.js'
import { TextField } from '../../kit/text-field.js'
import { readContract, removeContract, type ShownContract, saveContract } from './contract-reads.js'
import { exampleRules, firstRules, rulesProblem } from './contract-rules.js'
import { makerWords } from './revision-list.js'

/** The contract of a snippet; `null` if it has none. Without tools there are no contracts, and nothing is asked. */
export function useContract(id: string, enabled = true) {
  return useApiQuery(contractKey(id), (api, options) => readContract(api, id, options), {
    enabled: enabled && hasTools(),
  })
}

/** Edits the rules as JSON; the server says what is wrong with them, and where. */
export function ContractDialog({
  snippet: { id },
  contract,
  onClose,
}: {
  readonly snippet: SnippetSummary
  /** As it was when the dialog opened; what is read later must not change it. */
  readonly contract: ShownContract | null
  onClose(): void
}) {
  const api = useApi()
  const queries = useQueryClient()
  const [rules, setRules] = useState(contract?.text ?? firstRules)
  const [tries, setTries] = useState(0)
  const saving = useMutation({
    mutationFn: () => saveContract(api, queries, { id, shown: contract, rules }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: contractKey(id) })
      void queries.invalidateQueries({ queryKey: profileKey })
      onClose()
      focusHeading()
      showToast(text('contract.saved'))
    },
    onError: () => setTries(tries + 1),
  })
  const { isPending, error } = saving
  const problem = rulesProblem(error)
  const hasMoved = error instanceof PreconditionFailedError
  const draft = {
    tries,
    isPending,
    error: problem === null && !hasMoved ? error : null,
    submit: () => saving.mutate(),
  }
  return (
    <FormDialog
      title={text(contract === null ? 'contract.add' : 'contract.edit')}
      action={text('snippets.save')}
      draft={draft}
      onClose={onClose}
    >
      <p className="quiet">
        {text('contract.about')}{' '}
        <a href="/docs/contracts" target="_blank" rel="noopener">
          {text('contract.help')}
        </a>
      </p>
      {hasMoved && <Notice tone="warning">{text('contract.changedElsewhere')}</Notice>}
      <TextField
        label={text('contract.rules')}
        description={text('contract.rulesHint')}
        value={rules}
        onChange={setRules}
        error={problem}
        rows={12}
        isMonospaced
        autoFocus
      />
      <figure className="code-block">
        <figcaption>{text('contract.example')}</figcaption>
        <pre className="code mono">{exampleRules}</pre>
      </figure>
    </FormDialog>
  )
}

/** Asks for confirmation, and removes a contract. */
function RemoveContractDialog({
  snippet: { id, title },
  contract,
  onClose,
}: {
  readonly snippet: SnippetSummary
  /** As it was when the dialog opened. */
  readonly contract: ShownContract
  onClose(): void
}) {
  const queries = useQueryClient()
  return (
    <ConfirmChange
      title={text('contract.removeTitle')}
      action={text('contract.remove')}
      change={(api) => removeContract(api, queries, { id, shown: contract })}
      outdated={[contractKey(id), profileKey]}
      done={() => text('contract.removed')}
      onClose={onClose}
    >
      <p>{text('contract.removeAbout', { title })}</p>
    </ConfirmChange>
  )
}

/** What may change in the next version of a snippet. */
export function ContractSection({
  snippet,
  contract,
  onEdit,
}: {
  readonly snippet: SnippetSummary
  readonly contract: ShownContract
  onEdit(): void
}) {
  const [removed, setRemoved] = useState<ShownContract | null>(null)
  const { version, updated_at: at, text: rules } = contract
  return (
    <section aria-labelledby="contract">
      <div className="revisions-head">
        <h2 id="contract">{text('contract.title')}</h2>
        <span className="row-actions">
          <Button size="small" onPress={onEdit}>
            <Icon name="edit" />
            {text('contract.edit')}
          </Button>
          <DeleteButton label={text('contract.remove')} onPress={() => setRemoved(contract)} />
        </span>
      </div>
      <p className="quiet">{text('contract.about')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll */}
      <section className="rules" tabIndex={0} aria-label={text('contract.rules')}>
        <pre>{rules}</pre>
      </section>
      <p className="row-facts">
        <span>{text('revisions.version', { version: String(version) })}</span>
        <Moment at={at} />
        <span>{makerWords(contract)}</span>
      </p>
      {removed !== null && (
        <RemoveContractDialog snippet={snippet} contract={removed} onClose={() => setRemoved(null)} />
      )}
    </section>
  )
}
