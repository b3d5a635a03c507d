import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Check, ProblemError } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { checkKey, checksKey, revisionsKey, snippetKey, snippetsKey } from '../../api/query-keys.js'
import { useCommands } from '../../frame/commands.js'
import { focusHeading } from '../../frame/page-heading.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { Icon } from '../../kit/icon.js'
import { Notice } from '../../kit/notice.js'
import { TextField } from '../../kit/text-field.js'
import { type Decision, decisionWords } from './check-words.js'

/** Why a decision was not possible. */
export type Conflict = 'baseline_changed' | 'check_decided'

const conflicts: readonly Conflict[] = ['baseline_changed', 'check_decided']

/** The conflict that an error of a decision tells of; `null` for other errors. */
export function conflictOf(error: Error): Conflict | null {
  if (!(error instanceof ProblemError)) return null
  return conflicts.find((code) => code === error.code) ?? null
}

/** What is to be done about a conflict. */
export function ConflictNotice({ conflict, check }: { readonly conflict: Conflict; readonly check: Check }) {
  const { title, snippet_id: snippet } = check
  return (
    <Notice tone="warning">
      <p>
        {text(conflict === 'baseline_changed' ? 'check.baselineChanged' : 'check.alreadyDecided', { title })}
      </p>
      {conflict === 'baseline_changed' && snippet !== null && (
        <Link href={`/snippets/${snippet}`}>{text('revisions.back')}</Link>
      )}
    </Notice>
  )
}

/** Asks for confirmation and a note, and decides. */
function DecisionDialog({
  check,
  decision,
  onConflict,
  onClose,
}: {
  readonly check: Check
  readonly decision: Decision
  onConflict(conflict: Conflict): void
  onClose(): void
}) {
  const { id, snippet_id: snippet } = check
  const api = useApi()
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const refresh = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: checkKey(id) })
    for (const key of snippet === null
      ? []
      : [snippetKey(snippet), revisionsKey(snippet), checksKey(snippet)])
      void queries.invalidateQueries({ queryKey: key })
    void queries.invalidateQueries({ queryKey: snippetsKey })
  }
  const leave = (): void => {
    onClose()
    focusHeading()
  }
  const deciding = useMutation({
    mutationFn: () => api.checks[decision](id, note === '' ? undefined : note),
    onSuccess: async ({ version }) => {
      await refresh()
      leave()
      const approved = text('check.approved', { version: String(version) })
      showToast(decision === 'approve' ? approved : text('check.rejected'))
    },
    onError: async (error) => {
      const conflict = conflictOf(error)
      if (conflict === null) return
      await refresh()
      onConflict(conflict)
      leave()
    },
  })
  const { isPending, error } = deciding
  const draft = { tries: 0, isPending, error, submit: () => deciding.mutate() }
  return (
    <FormDialog
      title={text(`check.${decision}Title`)}
      action={text(`check.${decision}`)}
      draft={draft}
      onClose={onClose}
    >
      <p>{decisionWords(check, decision)}</p>
      <TextField
        label={text('check.note')}
        description={text('check.noteHint')}
        value={note}
        onChange={setNote}
        maxLength={500}
        autoFocus
      />
    </FormDialog>
  )
}

/** The buttons that decide on a pending check; `a` and `r` do the same. */
export function CheckDecision({
  check,
  onConflict,
}: {
  readonly check: Check
  onConflict(conflict: Conflict | null): void
}) {
  const [decision, setDecision] = useState<Decision | null>(null)
  const begin = (chosen: Decision): void => {
    onConflict(null)
    setDecision(chosen)
  }
  useCommands([
    { id: 'approve', label: text('check.approve'), icon: 'check', keys: 'a', run: () => begin('approve') },
    { id: 'reject', label: text('check.reject'), icon: 'close', keys: 'r', run: () => begin('reject') },
  ])
  return (
    <>
      <Button variant="primary" onPress={() => begin('approve')}>
        <Icon name="check" />
        {text('check.approve')}
      </Button>
      <Button onPress={() => begin('reject')}>
        <Icon name="close" />
        {text('check.reject')}
      </Button>
      {decision !== null && (
        <DecisionDialog
          check={check}
          decision={decision}
          onConflict={onConflict}
          onClose={() => setDecision(null)}
        />
      )}
    </>
  )
}
