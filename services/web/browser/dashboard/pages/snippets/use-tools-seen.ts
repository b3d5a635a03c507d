import { useEffect, useState } from 'react'
import type { Snippet } from '../../api/snippets.js'

/** The tools of all snippets that were listed so far, which a filter by tool can offer. */
export function useToolsSeen(snippets: readonly Snippet[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    setSeen((before) => {
      const all = new Set([...before, ...snippets.map(({ tool }) => tool)])
      return all.size === before.size ? before : all
    })
  }, [snippets])
  return seen
}
