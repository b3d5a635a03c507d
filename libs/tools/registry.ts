import { jsonFormat } from './json/json-format.js'
import { jsonMinify } from './json/json-minify.js'
import type { ToolDescription } from './tool.js'

/** Every tool, in the order in which they are listed. */
export const tools: readonly ToolDescription[] = [jsonFormat, jsonMinify]

const byName: ReadonlyMap<string, ToolDescription> = new Map(tools.map((tool) => [tool.name, tool]))

/** The tool of this name. */
export function findTool(name: string): ToolDescription | null {
  return byName.get(name) ?? null
}
