import { text } from '../../../../texts/text.js'
import type { Choice } from '../../kit/select.js'

/** The tools to filter by: those that have been seen, and the one that is filtered by; none is all. */
export function toolChoices(seen: ReadonlySet<string>, chosen: string): readonly Choice<string>[] {
  const tools = [...new Set([...seen, ...(chosen === '' ? [] : [chosen])])].sort()
  return [{ id: '', label: text('snippets.allTools') }, ...tools.map((tool) => ({ id: tool, label: tool }))]
}
