import { useEffect, useState } from 'react'
import { text } from '../../../texts/text.js'
import { Select } from './select.js'

/** All that was shown so far. */
function useSeen(shown: readonly string[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    setSeen((before) => {
      const all = new Set([...before, ...shown])
      return all.size === before.size ? before : all
    })
  }, [shown])
  return seen
}

/** A filter by a value: none, or one of those that this list has shown since it was opened. */
export function SeenSelect({
  label,
  all,
  value,
  shown,
  onChange,
}: {
  readonly label: string
  /** The choice of all. */
  readonly all: string
  /** Empty for all. */
  readonly value: string
  /** Those of the records shown now. */
  readonly shown: readonly string[]
  onChange(value: string): void
}) {
  const seen = useSeen(shown)
  const choices = [...new Set([...seen, ...(value === '' ? [] : [value])])].sort()
  return (
    <Select
      label={label}
      isLabelHidden
      isChip
      choices={[{ id: '', label: all }, ...choices.map((id) => ({ id, label: id }))]}
      value={value}
      onChange={onChange}
    />
  )
}

/** A filter by tool. */
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
  return (
    <SeenSelect
      label={text('share.tool')}
      all={text('filter.allTools')}
      value={tool}
      shown={shown.map((record) => record.tool)}
      onChange={onChange}
    />
  )
}
