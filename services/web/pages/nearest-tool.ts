import { tools } from '#engine/tools/registry.js'
import type { ToolDescription } from '#engine/tools/tool.js'

/** The pairs of neighbouring letters of a name. */
function pairsOf(name: string): ReadonlySet<string> {
  const words = name.toLowerCase().replaceAll(/(?<=[a-z])2(?=[a-z])/g, 'to')
  const letters = words.replaceAll(/[^a-z0-9]/g, '')
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  )
}

/** How alike two names are, from 0 to 1, also when their words are in another order (Dice's coefficient). */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length
  return (2 * common) / Math.max(1, one.size + other.size)
}

/** The tool that was most likely meant by a name that none has; `null` if none is like it. */
export function nearestTool(name: string): ToolDescription | null {
  const meant = pairsOf(name.slice(0, 60))
  const ranked = tools
    .map((tool) => ({ tool, like: likeness(meant, pairsOf(tool.name)) }))
    .sort((one, other) => other.like - one.like)
  const [best] = ranked
  return best !== undefined && best.like >= 0.5 ? best.tool : null
}
