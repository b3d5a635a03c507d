import type { Kind } from '../document/kinds/kind.js'

/** What someone last chose for documents of a kind. */
export interface RememberedChoice {
  readonly view?: string
  readonly wrap?: boolean
}

const storageKey = 'snipkeep.views'

function all(): Record<string, RememberedChoice> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    // Storage may be switched off, and anyone may write to it.
    return {}
  }
}

/** What was last chosen in this browser; nothing if that is not known. */
export function rememberedChoice(kind: Kind): RememberedChoice {
  const own = all()[kind]
  return typeof own === 'object' && own !== null ? own : {}
}

/** Remembers a choice for the next document of this kind, if the browser lets us. */
export function rememberChoice(kind: Kind, choice: RememberedChoice): void {
  try {
    localStorage.setItem(
      storageKey,
      JSON.stringify({ ...all(), [kind]: { ...rememberedChoice(kind), ...choice } }),
    )
  } catch {
    // Then it is chosen anew each time.
  }
}
