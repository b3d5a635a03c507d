import { Link } from 'wouter'
import { readableSize } from '#libs/core/readable-text.js'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { Menu } from '../../kit/menu.js'
import { Moment } from '../../kit/moment.js'
import { RecordRow } from '../../kit/record-list.js'
import { lastChoices, type SnippetActions } from './snippet-actions.js'

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

export function SnippetRow({
  snippet,
  actions,
  onTag,
}: {
  readonly snippet: SnippetSummary
  readonly actions: SnippetActions
  onTag(tag: string): void
}) {
  const { id, name, title, tool, tags, size_bytes, created_at } = snippet
  const edit = {
    id: 'edit',
    label: text('snippets.edit'),
    icon: 'edit',
    onAction: () => actions.edit(snippet),
  } as const
  return (
    <RecordRow
      title={
        <Link href={`/snippets/${id}`} className="row-title" id={rowId(id)}>
          {title}
        </Link>
      }
      facts={{
        tool: <span className="badge">{tool}</span>,
        ...(name === undefined ? {} : { name: <code className="mono">@{name}</code> }),
        size: readableSize(size_bytes),
        made: <Moment at={created_at} />,
        ...Object.fromEntries(tags.map((tag) => [`tag ${tag}`, <Tag key={tag} tag={tag} onTag={onTag} />])),
      }}
      actions={
        <>
          <Button variant="quiet" size="small" onPress={() => actions.share(snippet)}>
            <Icon name="shares" />
            <span className="row-action-word">{text('snippets.share')}</span>
            <span className="hidden">{title}</span>
          </Button>
          <Menu label={text('snippets.more', { title })} choices={[edit, ...lastChoices(snippet, actions)]}>
            <Icon name="more" />
          </Menu>
        </>
      }
    />
  )
}
