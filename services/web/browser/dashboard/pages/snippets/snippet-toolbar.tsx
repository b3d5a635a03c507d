import { useCallback } from 'react'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { SearchField } from '../../kit/search-field.js'
import { RemovableTags } from '../../kit/tags-field.js'
import { SeenSelect } from '../../kit/tool-select.js'
import type { SnippetFilter } from './snippet-filter.js'

/** The filters of the list. */
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
  const search = useCallback((typed: string) => onChange({ search: typed }), [onChange])
  const tags = shown.flatMap((snippet) => snippet.tags)
  return (
    <div className="toolbar">
      <SearchField label={text('snippets.search')} value={filter.search} onChange={search} />
      <div className="toolbar-chips">
        <SeenSelect
          label={text('share.tool')}
          all={text('filter.allTools')}
          value={filter.tool}
          shown={shown.map(({ tool }) => tool)}
          onChange={(tool) => onChange({ tool })}
        />
        <SeenSelect
          label={text('snippets.tags')}
          all={text('filter.anyTag')}
          value=""
          shown={tags.filter((tag) => !filter.tags.includes(tag))}
          onChange={(tag) => onChange({ tags: [...filter.tags, tag] })}
        />
        <RemovableTags
          label={text('snippets.filteredBy')}
          tags={filter.tags}
          groupClass="toolbar-tags"
          tagClass="tag-active"
          onChange={(tags) => onChange({ tags })}
        />
      </div>
    </div>
  )
}
