import { useEffect, useState } from 'react'
import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components'
import { text } from '../../../../texts/text.js'
import type { SnippetFilter } from '../../api/snippets.js'
import { Icon } from '../../kit/icon.js'
import { SearchField } from '../../kit/search-field.js'
import { Select } from '../../kit/select.js'
import { toolChoices } from './tool-choices.js'

const typingMs = 250

/** What the list is filtered by. A search is asked for when typing pauses. */
export function SnippetToolbar({
  filter,
  toolsSeen,
  onChange,
}: {
  readonly filter: SnippetFilter
  readonly toolsSeen: ReadonlySet<string>
  onChange(change: Partial<SnippetFilter>): void
}) {
  const [typed, setTyped] = useState(filter.search)
  useEffect(() => setTyped(filter.search), [filter.search])
  useEffect(() => {
    if (typed === filter.search) return
    const timer = setTimeout(() => onChange({ search: typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, filter.search, onChange])
  return (
    <div className="toolbar">
      <div className="toolbar-search">
        <SearchField label={text('snippets.search')} value={typed} onChange={setTyped} />
      </div>
      <div className="toolbar-tool">
        <Select
          label={text('snippets.tool')}
          isLabelHidden
          choices={toolChoices(toolsSeen, filter.tool)}
          value={filter.tool}
          onChange={(tool) => onChange({ tool })}
        />
      </div>
      {filter.tags.length > 0 && (
        <TagGroup
          className="toolbar-tags"
          selectionMode="none"
          onRemove={(removed) => onChange({ tags: filter.tags.filter((tag) => !removed.has(tag)) })}
        >
          <Label className="hidden">{text('snippets.filteredBy')}</Label>
          <TagList className="tags" items={filter.tags.map((tag) => ({ id: tag }))}>
            {({ id }) => (
              <Tag textValue={id} className="tag tag-removable tag-active">
                {id}
                <Button slot="remove" className="tag-remove" aria-label={text('kit.tagRemove', { tag: id })}>
                  <Icon name="close" />
                </Button>
              </Tag>
            )}
          </TagList>
        </TagGroup>
      )}
    </div>
  )
}
