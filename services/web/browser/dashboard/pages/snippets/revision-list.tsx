import { Link } from 'wouter'
import { readableSize } from '#libs/core/readable-text.js'
import type { RevisionSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useCursorList } from '../../api/cursor-list.js'
import { revisionsKey } from '../../api/query-keys.js'
import { Button } from '../../kit/button.js'
import { Moment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { RecordList, RecordRow } from '../../kit/record-list.js'
import { makerWords } from './revision-words.js'
import { useRestore } from './use-restore.js'

function RevisionRow({
  id,
  revision,
  isPending,
  onRestore,
}: {
  /** The snippet's. */
  readonly id: string
  readonly revision: RevisionSummary
  readonly isPending: boolean
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
        current ? null : (
          <Button
            size="small"
            isPending={isPending}
            aria-label={text('revisions.restoreVersion', { version: String(version) })}
            onPress={() => onRestore(version)}
          >
            {text('revisions.restore')}
          </Button>
        )
      }
    />
  )
}

/** The versions of a snippet: when, how large, by whom; each can be opened and restored. Nothing if there is only one. */
export function RevisionList({ id, onRestored }: { readonly id: string; onRestored(): void }) {
  const restoring = useRestore(id, onRestored)
  const list = useCursorList(revisionsKey(id), (api, options) => ({
    async page(cursor) {
      const page = await api.snippets.revisions(id, { limit: 10, ...options }).page(cursor)
      return { ...page, items: page.items.map((one) => ({ ...one, id: String(one.version) })) }
    },
  }))
  if (list.error === null && list.items.length < 2) return null
  return (
    <section className="revisions" aria-labelledby="revisions">
      <h2 id="revisions">{text('revisions.title')}</h2>
      {restoring.error !== null && <ProblemNotice error={restoring.error} />}
      <RecordList list={list} label={text('revisions.title')} empty={null}>
        {(revision) => (
          <RevisionRow
            id={id}
            revision={revision}
            isPending={restoring.isPending && restoring.variables === revision.version}
            onRestore={restoring.mutate}
          />
        )}
      </RecordList>
    </section>
  )
}
