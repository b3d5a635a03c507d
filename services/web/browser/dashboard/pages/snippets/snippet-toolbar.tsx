import { useEffect, useState } from 'react'
import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Icon } from '../../kit/icon.js'
import { RemovableTags } from '../../kit/tags-field.js'
import { ToolSelect } from '../../kit/tool-select.js'
import type { SnippetFilter } from './snippet-filter.js'

/** A search field; Escape clears it. */
function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}) {
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className="search">
      <Icon name="search" />
      <Input className="input" placeholder={label} />
      <Button className="search-clear" aria-label={text('kit.clear')}>
        <Icon name="close" />
      </Button>
    </AriaSearchField>
  )
}

const typingMs = 250

/** The filters of the list. The search runs when typing pauses. */
export function SnippetToolbar({
  filter,
  shown,
  onChange,
}: {
  readonly filter: SnippetFilter
  /** The snippets listed now. */
  readonly shown: readonly SnippetSummary[]
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
        <ToolSelect tool={filter.tool} shown={shown} onChange={(tool) => onChange({ tool })} />
      </div>
      <RemovableTags
        label={text('snippets.filteredBy')}
        tags={filter.tags}
        groupClass="toolbar-tags"
        tagClass="tag-active"
        onChange={(tags) => onChange({ tags })}
      />
    </div>
  )
}
