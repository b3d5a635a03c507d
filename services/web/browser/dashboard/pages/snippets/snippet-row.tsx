import { Link } from 'wouter'
import { readableSize } from '#shared/core/readable-size.js'
import { text } from '../../../../texts/text.js'
import type { Snippet } from '../../api/snippets.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { Menu } from '../../kit/menu.js'
import { Moment } from '../../kit/moment.js'
import { lastChoices, type SnippetActions } from './snippet-actions.js'

/** The element of a snippet's title in the list. */
export function rowId(id: string): string {
  return `snippet-${id}`
}

/** One snippet of the list. */
export function SnippetRow({
  snippet,
  actions,
  onTag,
}: {
  readonly snippet: Snippet
  readonly actions: SnippetActions
  onTag(tag: string): void
}) {
  const { id, title, tool, tags, size_bytes, created_at } = snippet
  return (
    <li className="row">
      <div className="row-main">
        <Link href={`/snippets/${id}`} className="row-title" id={rowId(id)}>
          {title}
        </Link>
        <div className="row-facts">
          <span className="badge">{tool}</span>
          <span>{readableSize(size_bytes)}</span>
          <Moment at={created_at} />
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="tag tag-button"
              aria-label={text('snippets.filterByTag', { tag })}
              onClick={() => onTag(tag)}
            >
              {tag}
            </button>
          ))}
        </div>
      </div>
      <div className="row-actions">
        <Button variant="quiet" size="small" onPress={() => actions.share(snippet)}>
          <Icon name="shares" />
          <span className="row-action-word">{text('snippets.share')}</span>
          <span className="hidden">{title}</span>
        </Button>
        <Menu
          label={text('snippets.more', { title })}
          choices={[
            {
              id: 'edit',
              label: text('snippets.edit'),
              icon: 'edit',
              onAction: () => actions.edit(snippet),
            },
            ...lastChoices(snippet, actions),
          ]}
        >
          <Icon name="more" />
        </Menu>
      </div>
    </li>
  )
}
