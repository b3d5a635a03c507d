import { useRef } from 'react'
import { text } from '../../../texts/text.js'
import { Select } from './select.js'

/** The tool to filter by: one of those that this list has shown since it was opened, or all. */
export function ToolSelect({
  tool,
  shown,
  onChange,
}: {
  /** Empty for all. */
  readonly tool: string
  /** Records that are shown now. */
  readonly shown: readonly { readonly tool: string }[]
  onChange(tool: string): void
}) {
  const seen = useRef(new Set<string>())
  for (const record of shown) seen.current.add(record.tool)
  if (tool !== '') seen.current.add(tool)
  const choices = [...seen.current].sort().map((name) => ({ id: name, label: name }))
  return (
    <div className="toolbar-tool">
      <Select
        label={text('filter.tool')}
        isLabelHidden
        choices={[{ id: '', label: text('filter.allTools') }, ...choices]}
        value={tool}
        onChange={onChange}
      />
    </div>
  )
}
