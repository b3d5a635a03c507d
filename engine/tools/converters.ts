import { tools } from './registry.js'
import type { ToolDescription } from './tool.js'

/** A tool that makes one format of another. */
export interface Converter {
  readonly from: string
  readonly to: string
  readonly tool: ToolDescription
}

/** Other words for formats. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['ts', 'typescript'],
  ['yml', 'yaml'],
  ['jsonl', 'ndjson'],
])

/** The ways there are. */
export const converters: readonly Converter[] = tools.flatMap((tool) => {
  const [from = '', to] = tool.name === 'json-schema-infer' ? ['json', 'schema'] : tool.name.split('-to-')
  return to === undefined ? [] : [{ from, to, tool }]
})

/** The tool that makes one format of another; `null` if none does. */
export function findConverter(from: string, to: string): ToolDescription | null {
  const [one, other] = [from, to].map((name) => synonyms.get(name.toLowerCase()) ?? name.toLowerCase())
  return converters.find((way) => way.from === one && way.to === other)?.tool ?? null
}
