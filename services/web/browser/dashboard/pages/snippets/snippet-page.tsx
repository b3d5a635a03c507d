import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { readableSize } from '#libs/core/readable-text.js'
import { relativeTime } from '#libs/core/relative-time.js'
import { type SnippetSummary, snippetPath } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { snippetKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Icon } from '../../kit/icon.js'
import { Menu } from '../../kit/menu.js'
import { Moment } from '../../kit/moment.js'
import { FoundPage } from './found-page.js'
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

/** The page at `/dashboard/snippets/{id}`. */
export function SnippetPage() {
  const { id = '' } = useParams()
  const query = useApiQuery(snippetKey(id), (api, options) =>
    api.snippets.get(id, { includeData: false, ...options }),
  )
  const back = { href: '/snippets', name: text('snippets.back') }
  const action = <ButtonLink href={back.href}>{back.name}</ButtonLink>
  const gone = { title: text('snippets.goneTitle'), about: text('snippets.gone'), action }
  return (
    <FoundPage query={query} back={back} gone={gone}>
      {(snippet) => <OpenSnippet key={id} snippet={snippet} />}
    </FoundPage>
  )
}
