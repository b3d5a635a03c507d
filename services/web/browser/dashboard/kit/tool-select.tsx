import { useEffect, useState } from 'react'
import { text } from '../../../texts/text.js'
import { Select } from './select.js'

/** The tools of all records shown so far. */
function useToolsSeen(shown: readonly { readonly tool: string }[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    setSeen((before) => {
      const all = new Set([...before, ...shown.map(({ tool }) => tool)])
      return all.size === before.size ? before : all
    })
  }, [shown])
  return seen
}

/** A filter by tool: all, or one of those that this list has shown since it was opened. */
export function ToolSelect({
  tool,
  shown,
  onChange,
}: {
  /** Empty for all. */
  readonly tool: string
  /** The records shown now. */
  readonly shown: readonly { readonly tool: string }[]
  onChange(tool: string): void
}) {
  const seen = useToolsSeen(shown)
  const tools = [...new Set([...seen, ...(tool === '' ? [] : [tool])])].sort()
  return (
    <Select
      label={text('share.tool')}
      isLabelHidden
      choices={[{ id: '', label: text('filter.allTools') }, ...tools.map((id) => ({ id, label: id }))]}
      value={tool}
      onChange={onChange}
    />
  )
}
