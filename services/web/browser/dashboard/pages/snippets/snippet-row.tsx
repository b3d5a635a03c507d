import { Link } from 'wouter'
import type { SnippetSummary } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { Icon } from '../../kit/icon.js'
import { Menu } from '../../kit/menu.js'
import { Moment } from '../../kit/moment.js'
import { RowCheck } from '../../kit/row-check.js'
import type { Selection } from '../../kit/selection.js'
import { type SnippetActions, snippetChoices } from './snippet-actions.js'

export function rowId(id: string): string {
  return `snippet-${id}`
}

function Tag({ tag, onTag }: { readonly tag: string; onTag(tag: string): void }) {
  return (
    <button
      type="button"
      className="tag tag-button"
      aria-label={text('snippets.filterByTag', { tag })}
      onClick={() => onTag(tag)}
    >
      {tag}
    </button>
  )
}

/** One snippet of the list, in the columns of the list. */
export function SnippetRow({
  snippet,
  actions,
  selection,
  onTag,
}: {
  readonly snippet: SnippetSummary
  readonly actions: SnippetActions
  readonly selection: Selection
  onTag(tag: string): void
}) {
  const { id, name, title, tool, tags, size_bytes, updated_at } = snippet
  return (
    <>
      <RowCheck id={id} title={title} selection={selection} />
      <div className="cell-name">
        <Link href={`/snippets/${id}`} className="row-title" id={rowId(id)}>
          {title}
        </Link>
        {name !== undefined && <code className="mono">@{name}</code>}
      </div>
      <span className="cell cell-tool">{tool}</span>
      <div className="cell cell-tags">
        {tags.map((tag) => (
          <Tag key={tag} tag={tag} onTag={onTag} />
        ))}
      </div>
      <span className="cell cell-size">{readableSize(size_bytes)}</span>
      <span className="cell cell-time">
        <Moment at={updated_at} />
      </span>
      <Menu label={text('snippets.more', { title })} choices={snippetChoices(snippet, actions)}>
        <Icon name="more" />
      </Menu>
    </>
  )
}
