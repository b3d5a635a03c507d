import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { type SnippetSummary, snippetPath } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { copyData } from '../../../share/copying.js'
import { useApi, useApiQuery } from '../../api/api-context.js'
import { snippetKey } from '../../api/query-keys.js'
import { useCommands } from '../../frame/commands.js'
import { PageHeading } from '../../frame/page-heading.js'
import { hasTools } from '../../frame/sections.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Icon } from '../../kit/icon.js'
import type { Loadable } from '../../kit/loaded.js'
import { Menu, type MenuChoice } from '../../kit/menu.js'
import { Moment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { relativeTime } from '../../kit/relative-time.js'
import { CheckList, PendingChecks, useChecks } from './check-list.js'
import type { ShownContract } from './contract-reads.js'
import { ContractDialog, ContractSection, useContract } from './contract-section.js'
import { FoundPage } from './found-page.js'
import { RevisionList } from './revision-list.js'
import { type SnippetActions, snippetChoices, useSnippetActions } from './snippet-actions.js'
import { SnippetData } from './snippet-data.js'

function Facts({
  snippet: { id, name, tool, tags, size_bytes, created_at, updated_at },
}: {
  snippet: SnippetSummary
}) {
  return (
    <div className="row-facts">
      <span className="badge">{tool}</span>
      {name !== undefined && (
        <span className="named">
          <code className="mono">@{name}</code>
          <CopyButton value={`@${name}`} name={text('snippets.copyName', { name })} />
        </span>
      )}
      <span>{readableSize(size_bytes)}</span>
      <Moment at={created_at} />
      {updated_at !== created_at && (
        <span>{text('snippets.changed', { when: relativeTime(Date.parse(updated_at), Date.now()) })}</span>
      )}
      {hasTools() && <PendingChecks id={id} />}
      {tags.map((tag) => (
        <Link key={tag} href={`/snippets?${new URLSearchParams({ tag })}`} className="tag tag-button">
          {tag}
        </Link>
      ))}
    </div>
  )
}

/** Copies the data as sent. */
function CopyData({ snippet: { id, title, size_bytes: size } }: { readonly snippet: SnippetSummary }) {
  const api = useApi()
  const copy = (): void =>
    copyData(
      async () => (await api.snippets.raw(id)).text(),
      size,
      title,
      (words) => showToast(words),
    )
  return (
    <Button onPress={copy}>
      <Icon name="copy" />
      {text('kit.copy')}
    </Button>
  )
}

/** Whether the address asks to share the snippet: once, so that Back does not ask again. */
function useAskedToShare(share: () => void): void {
  const [search, setSearch] = useSearchParams()
  const isAsked = search.has('share')
  const start = useEffectEvent(() => {
    setSearch({}, { replace: true })
    share()
  })
  useEffect(() => {
    if (isAsked) start()
  }, [isAsked])
}

/** The contract and the checks of a snippet, if there is either, or why they cannot be read. */
function SnippetChecks({
  snippet,
  contract: { data: contract, error, refetch },
  onEdit,
}: {
  readonly snippet: SnippetSummary
  readonly contract: Loadable<ShownContract | null>
  onEdit(contract: ShownContract): void
}) {
  const checks = useChecks(snippet.id, 'all')
  const hasChecks = checks.items.length > 0 || checks.error !== null
  return (
    <>
      {(hasChecks || contract) && <CheckList snippet={snippet} />}
      {contract && <ContractSection snippet={snippet} contract={contract} onEdit={() => onEdit(contract)} />}
      {contract === undefined && error !== null && (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

/** The keys of the page. */
function useSnippetKeys(snippet: SnippetSummary, actions: SnippetActions): void {
  useCommands([
    {
      id: 'share',
      label: text('snippets.share'),
      icon: 'shares',
      keys: 's',
      run: () => actions.share(snippet),
    },
    { id: 'edit', label: text('snippets.edit'), icon: 'edit', keys: 'e', run: () => actions.edit(snippet) },
    {
      id: 'delete',
      label: text('snippets.delete'),
      icon: 'trash',
      keys: '#',
      run: () => actions.delete(snippet),
    },
  ])
}

function OpenSnippet({ snippet }: { snippet: SnippetSummary }) {
  const [, navigate] = useLocation()
  const { actions, dialogs } = useSnippetActions(() => navigate('/snippets'))
  const { id, tool, title } = snippet
  // Other data of the same size is read again.
  const [restores, setRestores] = useState(0)
  useAskedToShare(() => actions.share(snippet))
  useSnippetKeys(snippet, actions)
  // The contract in the dialog, or that there is none yet: as it was when the dialog opened.
  const [edited, setEdited] = useState<{ readonly contract: ShownContract | null } | null>(null)
  const contract = useContract(id)
  const addContract: MenuChoice = {
    id: 'contract',
    label: text('contract.add'),
    icon: 'check',
    onAction: () => setEdited({ contract: null }),
  }
  const choices = [
    ...(contract.data === null ? [addContract] : []),
    ...snippetChoices(snippet, actions).filter(({ id }) => id !== 'share' && id !== 'edit'),
  ]
  return (
    <>
      <PageHeading title={title} about={<Facts snippet={snippet} />}>
        <CopyData snippet={snippet} />
        <Button variant="primary" onPress={() => actions.share(snippet)}>
          <Icon name="shares" />
          {text('snippets.share')}
        </Button>
        <Button onPress={() => actions.edit(snippet)}>
          <Icon name="edit" />
          {text('snippets.edit')}
        </Button>
        <Menu label={text('snippets.more', { title })} choices={choices}>
          <Icon name="more" />
        </Menu>
      </PageHeading>
      <div className="snippet-layout">
        <SnippetData
          key={restores}
          data={{ rawPath: `${snippetPath(id)}/raw`, tool, title, sizeBytes: snippet.size_bytes }}
        />
        <div className="snippet-side">
          {hasTools() && (
            <SnippetChecks
              snippet={snippet}
              contract={contract}
              onEdit={(shown) => setEdited({ contract: shown })}
            />
          )}
          <RevisionList id={id} onRestored={() => setRestores((count) => count + 1)} />
        </div>
      </div>
      {dialogs}
      {edited !== null && (
        <ContractDialog snippet={snippet} contract={edited.contract} onClose={() => setEdited(null)} />
      )}
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
