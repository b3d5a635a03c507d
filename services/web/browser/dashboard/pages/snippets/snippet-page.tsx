import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { readableSize } from '#libs/core/readable-text.js'
import { ProblemError, type SnippetSummary, snippetPath } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { snippetKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Icon } from '../../kit/icon.js'
import { Menu } from '../../kit/menu.js'
import { Moment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { relativeTime } from '../../kit/relative-time.js'
import { EmptyState, LoadingState } from '../../kit/states.js'
import { RevisionList } from './revision-list.js'
import { lastChoices, useSnippetActions } from './snippet-actions.js'
import { SnippetData } from './snippet-data.js'

function Facts({
  snippet: { name, tool, tags, size_bytes, created_at, updated_at },
}: {
  snippet: SnippetSummary
}) {
  return (
    <div className="row-facts">
      <span className="badge">{tool}</span>
      {name !== undefined && <code className="mono">@{name}</code>}
      <span>{readableSize(size_bytes)}</span>
      <Moment at={created_at} />
      {updated_at !== created_at && (
        <span>{text('snippets.changed', { when: relativeTime(Date.parse(updated_at), Date.now()) })}</span>
      )}
      {tags.map((tag) => (
        <Link key={tag} href={`/snippets?${new URLSearchParams({ tag })}`} className="tag tag-button">
          {tag}
        </Link>
      ))}
    </div>
  )
}

function OpenSnippet({ snippet }: { snippet: SnippetSummary }) {
  const [, navigate] = useLocation()
  const { actions, dialogs } = useSnippetActions(() => navigate('/snippets'))
  const { id, tool, title } = snippet
  // Other data of the same size is read again.
  const [restores, setRestores] = useState(0)
  return (
    <>
      <PageHeading title={title} about={<Facts snippet={snippet} />}>
        <Button variant="primary" onPress={() => actions.share(snippet)}>
          <Icon name="shares" />
          {text('snippets.share')}
        </Button>
        <ButtonLink href={`/compare?${new URLSearchParams({ a: snippet.id })}`}>
          {text('compare.start')}
        </ButtonLink>
        <Button onPress={() => actions.edit(snippet)}>
          <Icon name="edit" />
          {text('snippets.edit')}
        </Button>
        <Menu label={text('snippets.more', { title })} choices={lastChoices(snippet, actions)}>
          <Icon name="more" />
        </Menu>
      </PageHeading>
      <SnippetData
        key={restores}
        data={{ rawPath: `${snippetPath(id)}/raw`, tool, title, sizeBytes: snippet.size_bytes }}
      />
      <RevisionList id={id} onRestored={() => setRestores((count) => count + 1)} />
      {dialogs}
    </>
  )
}

function isMissing(error: Error): boolean {
  return error instanceof ProblemError && (error.status === 404 || error.code === 'not_owner')
}

/** The page at `/dashboard/snippets/{id}`. */
export function SnippetPage() {
  const api = useApi()
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: snippetKey(id),
    queryFn: ({ signal }) => api.snippets.get(id, { includeData: false, signal }),
  })
  return (
    <>
      <Link href="/snippets" className="back">
        <Icon name="back" />
        {text('snippets.back')}
      </Link>
      {data !== undefined && <OpenSnippet key={id} snippet={data} />}
      {data === undefined && error === null && <LoadingState />}
      {data === undefined && error !== null && isMissing(error) && (
        <>
          <PageHeading title={text('snippets.goneTitle')} />
          <EmptyState
            icon="snippets"
            title={text('snippets.gone')}
            action={<ButtonLink href="/snippets">{text('snippets.back')}</ButtonLink>}
          />
        </>
      )}
      {data === undefined && error !== null && !isMissing(error) && (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}
