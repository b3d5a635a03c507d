import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { RevisionSummary, SnippetSummary, Tagged } from '#sdk/exports.js'
import { knownText, readableSize, text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { useCursorList } from '../../api/cursor-list.js'
import { revisionsKey, snippetKey, snippetsKey } from '../../api/query-keys.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Moment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { principalWords } from '../events/event-words.js'

/** Who made a version, in words; an unknown kind of a newer server is shown as is. */
export function makerWords({
  principal,
}: {
  readonly principal: { readonly kind: string; readonly label: string | null } | null
}): string {
  if (principal === null) return text('revisions.byUnknown')
  const { kind, label } = principal
  const labelled = label === null ? null : knownText(`maker.${kind}`, { label })
  return labelled ?? principalWords({ principal })
}

/**
 * Restores a version of a snippet, unless the snippet has changed since it was shown. What it replaces is kept, so
 * nobody is asked first.
 */
export function useRestore(
  id: string,
  onRestored: () => void,
): UseMutationResult<Tagged<SnippetSummary>, Error, number> {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (version: number) => {
      const seen =
        queries.getQueryData<Tagged<SnippetSummary>>(snippetKey(id)) ??
        (await api.snippets.get(id, { includeData: false }))
      return api.snippets.restore(id, version, { ifMatch: seen.etag ?? undefined })
    },
    onError: async () => {
      await queries.invalidateQueries({ queryKey: snippetKey(id) })
      await queries.invalidateQueries({ queryKey: revisionsKey(id) })
    },
    onSuccess: async (restored, version) => {
      queries.setQueryData(snippetKey(id), restored)
      await queries.invalidateQueries({ queryKey: revisionsKey(id) })
      void queries.invalidateQueries({ queryKey: snippetsKey })
      onRestored()
      showToast(text('revisions.restored', { version: String(version) }))
    },
  })
}

/** The versions to compare. */
interface ComparedVersions {
  readonly a: number
  readonly b: number
}

/** Marks a version as one side of a comparison. */
function SideMarks({
  version,
  sides,
  onChange,
}: {
  readonly version: number
  readonly sides: ComparedVersions
  onChange(sides: ComparedVersions): void
}) {
  const values = { version: String(version) }
  const names = { a: text('revisions.sideA', values), b: text('revisions.sideB', values) }
  return (
    <span className="revision-sides">
      {(['a', 'b'] as const).map((side) => (
        <label key={side}>
          <span aria-hidden="true" data-side={side} />
          <input
            type="radio"
            name={`compare-${side}`}
            aria-label={names[side]}
            checked={sides[side] === version}
            onChange={() => onChange({ ...sides, [side]: version })}
          />
        </label>
      ))}
    </span>
  )
}

function RevisionRow({
  id,
  revision,
  isPending,
  marks,
  onRestore,
}: {
  /** The snippet's. */
  readonly id: string
  readonly revision: RevisionSummary
  readonly isPending: boolean
  readonly marks: ReactNode
  onRestore(version: number): void
}) {
  const { version, current, size_bytes: size, created_at: at } = revision
  const name = text('revisions.version', { version: String(version) })
  return (
    <RecordRow
      title={
        current ? (
          <span className="row-title">{name}</span>
        ) : (
          <Link className="row-title" href={`/snippets/${id}/versions/${version}`}>
            {name}
          </Link>
        )
      }
      facts={{
        ...(current ? { current: <span className="badge">{text('revisions.current')}</span> } : {}),
        at: <Moment at={at} />,
        size: readableSize(size),
        by: makerWords(revision),
      }}
      actions={
        <>
          {!current && (
            <Button
              size="small"
              isPending={isPending}
              aria-label={text('revisions.restoreVersion', { version: String(version) })}
              onPress={() => onRestore(version)}
            >
              {text('revisions.restore')}
            </Button>
          )}
          {marks}
        </>
      }
    />
  )
}

/** The address of a comparison; the newest version is what the snippet is now. */
function comparePath(id: string, { a, b }: ComparedVersions, newest: number): string {
  const [before, after] = [a, b].map((version) => (version === newest ? id : `${id}@${version}`))
  return `/compare?${new URLSearchParams({ a: before ?? id, b: after ?? id })}`
}

/** The versions of a snippet: when, how large, by whom; each can be opened and restored, and two compared. Nothing if there is only one. */
export function RevisionList({ id, onRestored }: { readonly id: string; onRestored(): void }) {
  const restoring = useRestore(id, onRestored)
  const [chosen, setChosen] = useState<Partial<ComparedVersions>>({})
  const list = useCursorList(revisionsKey(id), (api, options) => ({
    async page(cursor) {
      const page = await api.snippets.revisions(id, { limit: 10, ...options }).page(cursor)
      return { ...page, items: page.items.map((one) => ({ ...one, id: String(one.version) })) }
    },
  }))
  if (list.error === null && list.items.length < 2) return null
  const [newest = 0, previous = 0] = list.items.map(({ version }) => version)
  const sides = { a: chosen.a ?? previous, b: chosen.b ?? newest }
  return (
    <section className="revisions" aria-labelledby="revisions">
      <div className="revisions-head">
        <h2 id="revisions">{text('revisions.title')}</h2>
        <ButtonLink href={comparePath(id, sides, newest)} size="small">
          {text('revisions.compare')}
        </ButtonLink>
      </div>
      {restoring.error !== null && <ProblemNotice error={restoring.error} />}
      <RecordList list={list} label={text('revisions.title')} empty={null}>
        {(revision) => (
          <RevisionRow
            id={id}
            revision={revision}
            isPending={restoring.isPending && restoring.variables === revision.version}
            marks={<SideMarks version={revision.version} sides={sides} onChange={setChosen} />}
            onRestore={restoring.mutate}
          />
        )}
      </RecordList>
    </section>
  )
}
