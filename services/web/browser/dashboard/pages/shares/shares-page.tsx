import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import type { ListedShare } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useProfile } from '../../api/api-context.js'
import { useCursorList } from '../../api/cursor-list.js'
import { sharesKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Icon } from '../../kit/icon.js'
import { Expiry, Moment } from '../../kit/moment.js'
import { DeleteButton, RecordList } from '../../kit/record-list.js'
import { RowCheck } from '../../kit/row-check.js'
import { Select } from '../../kit/select.js'
import { type Selection, useRowKeys, useSelection } from '../../kit/selection.js'
import { EmptyState } from '../../kit/states.js'
import { ToolSelect } from '../../kit/tool-select.js'
import { DeleteLinkedShare, DeleteShareDialog, shareTitle } from './delete-share-dialog.js'
import { gateFacts } from './gate-facts.js'
import { SelectedShares } from './many-shares.js'
import { NewShareDialog } from './new-share-dialog.js'
import { readShareFilter, type ShareFilter, writeShareFilter } from './share-filter.js'

/** What a share's link is good for now: nothing once it has expired or was disabled. */
function isLive({ expires_at: end, disabled_at: disabledAt }: ListedShare): boolean {
  return disabledAt === null && (end === null || Date.parse(end) > Date.now())
}

/** One share of the list; its title opens its page in a new tab. */
function ShareRow({
  share,
  selection,
  onDelete,
}: {
  readonly share: ListedShare
  readonly selection: Selection
  onDelete(share: ListedShare): void
}) {
  const { id, tool, size_bytes: size, share_url: url, created_at: made, expires_at: end } = share
  const title = shareTitle(share)
  const facts = Object.entries(gateFacts(share))
  return (
    <>
      <RowCheck id={id} title={title} selection={selection} />
      <div className="cell-name">
        <a className="row-title" href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
        {facts.length > 0 && (
          <ul className="row-facts">
            {facts.map(([name, fact]) => (
              <li key={name}>{fact}</li>
            ))}
          </ul>
        )}
      </div>
      <span className="cell cell-tool">{tool}</span>
      <span className="cell cell-size">{readableSize(size)}</span>
      <span className="cell">
        <Moment at={made} />
      </span>
      <span className="cell">
        {share.disabled_at === null ? (
          <Expiry at={end} />
        ) : (
          <span className="row-over">{text('shares.disabled')}</span>
        )}
      </span>
      <div className="row-actions">
        {isLive(share) && (
          <span className="row-copy">
            <CopyButton value={url} label={text('share.copyLink')} />
          </span>
        )}
        <DeleteButton label={text('shares.delete', { title })} onPress={() => onDelete(share)} />
      </div>
    </>
  )
}

function NoShares({
  filter,
  onShowAll,
  onNew,
}: {
  readonly filter: ShareFilter
  onShowAll(): void
  onNew(): void
}) {
  if (filter.state !== 'expired' && filter.tool === '')
    return (
      <EmptyState
        icon="shares"
        title={text(filter.state === 'all' ? 'shares.none' : 'shares.noneLive')}
        action={<Button onPress={onNew}>{text('shares.new')}</Button>}
        about={text(filter.state === 'all' ? 'shares.noneAbout' : 'shares.noneLiveAbout')}
        command="snipkeep share team.csv"
      />
    )
  return (
    <EmptyState
      icon="search"
      title={text('shares.noneLike')}
      action={<Button onPress={onShowAll}>{text('shares.showAll')}</Button>}
      about={text('shares.noneLikeAbout')}
    />
  )
}

/** The filters of the list. */
function ShareToolbar({
  filter,
  shown,
  onChange,
}: {
  readonly filter: ShareFilter
  /** The shares listed now. */
  readonly shown: readonly ListedShare[]
  onChange(changes: Partial<ShareFilter>): void
}) {
  return (
    <div className="toolbar-chips">
      <Select
        label={text('shares.state')}
        isLabelHidden
        isChip
        choices={[
          { id: 'live', label: text('shares.live') },
          { id: 'expired', label: text('shares.expired') },
          { id: 'all', label: text('shares.all') },
        ]}
        value={filter.state}
        onChange={(state) => onChange({ state })}
      />
      <ToolSelect tool={filter.tool} shown={shown} onChange={(tool) => onChange({ tool })} />
    </div>
  )
}

/**
 * The page at `/dashboard/shares`. With the id of a share in the URL it asks whether to delete that share.
 */
export function SharesPage() {
  const { id: linked } = useParams<{ readonly id?: string }>()
  const [, navigate] = useLocation()
  const [search, setSearch] = useSearchParams()
  const [deleting, setDeleting] = useState<ListedShare | null>(null)
  const [adding, setAdding] = useState(false)
  const filter = readShareFilter(search)
  const change = (changes: Partial<ShareFilter>): void =>
    setSearch(writeShareFilter({ ...filter, ...changes }), { replace: true })
  const list = useCursorList([...sharesKey, filter], (api, options) =>
    api.shares.list({ tool: filter.tool || undefined, state: filter.state, limit: 100 }, options),
  )
  const used = useProfile({ isFresh: true }).data?.usage.shares ?? null
  const selection = useSelection(list.items)
  const selected = list.items.filter((share) => selection.ids.has(share.id))
  useRowKeys(selection)
  return (
    <>
      <PageHeading title={text('frame.shares')} count={used} about={text('shares.about')}>
        <Button variant="primary" onPress={() => setAdding(true)}>
          <Icon name="plus" />
          {text('shares.new')}
        </Button>
      </PageHeading>
      {linked !== undefined && (
        <DeleteLinkedShare key={linked} id={linked} onClose={() => navigate('/shares', { replace: true })} />
      )}
      <ShareToolbar filter={filter} shown={list.items} onChange={change} />
      <RecordList
        list={list}
        total={filter.state === 'live' && filter.tool === '' ? used : null}
        label={text('shares.list')}
        look="rows grid shares-grid"
        selected={selection.ids}
        empty={
          <NoShares
            filter={filter}
            onShowAll={() => change({ state: 'all', tool: '' })}
            onNew={() => setAdding(true)}
          />
        }
      >
        {(share) => <ShareRow share={share} selection={selection} onDelete={setDeleting} />}
      </RecordList>
      {selected.length > 0 && <SelectedShares shares={selected} onClear={selection.clear} />}
      {adding && <NewShareDialog onClose={() => setAdding(false)} />}
      {deleting !== null && <DeleteShareDialog share={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}
