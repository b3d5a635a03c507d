import type { Format } from '#engine/tools/tool.js'
import { fragmentOf, type OptionValues } from './option-values.js'

type Kind = Format['kind']

/** What a tab keeps for a reload, for the way back, and for the next tool. */
const inputKey = 'snipkeep.tool-input'
const optionsKey = (tool: string): string => `snipkeep.tool-options.${tool}`

interface KeptInput {
  readonly kind: Kind
  readonly text: string
}

function isKept(value: unknown): value is KeptInput {
  return typeof value === 'object' && value !== null && 'kind' in value && 'text' in value
}

/** Keeps the text of an input, or forgets the last one. Where the browser keeps nothing, nothing happens. */
export function keepInput(storage: Storage, kind: Kind, text: string | null): void {
  try {
    // First: where the new text finds no room, the one before must not come back.
    storage.removeItem(inputKey)
    if (text !== null) storage.setItem(inputKey, JSON.stringify({ kind, text }))
  } catch {
    // Storage may be full or forbidden; then the next page begins empty.
  }
}

/** The text that was kept, if a tool with this kind of input takes it: its own kind, or any text. */
export function keptInput(storage: Storage, kind: Kind): string | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(inputKey) ?? 'null')
    return isKept(kept) && (kept.kind === kind || kind === 'text') ? kept.text : null
  } catch {
    return null
  }
}

/** Keeps the options of a tool. */
export function keepOptions(storage: Storage, tool: string, options: OptionValues): void {
  try {
    storage.removeItem(optionsKey(tool))
    storage.setItem(optionsKey(tool), fragmentOf(options))
  } catch {
    // As above.
  }
}

/** The fragment with the options that were kept for a tool; empty for none. */
export function keptOptions(storage: Storage, tool: string): string {
  try {
    return storage.getItem(optionsKey(tool)) ?? ''
  } catch {
    return ''
  }
}
