import { open, readFile, rename } from 'node:fs/promises'
import { emptyState, readState, type SandboxState } from './state.js'

export interface SandboxStore {
  /**
   * Returns the last saved state; an empty one at first.
   * @throws Error that says what to do if the stored state is damaged.
   */
  load(): Promise<SandboxState>
  /** Resolves when the state at the time of the call, or a later one, is stored. */
  save(state: SandboxState): Promise<void>
}

/** Stores nothing. */
export const memoryStore: SandboxStore = { load: async () => emptyState(), save: async () => {} }

async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** Writes the state to a file that is complete at every moment. Saves during a write are combined into one. */
export function fileStore(path: string): SandboxStore {
  let writing: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (state: SandboxState): Promise<void> => {
    writing = writeWhole(path, JSON.stringify(state)).finally(() => {
      writing = null
    })
    return writing
  }
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      const state = text === null ? emptyState() : readState(text)
      if (state !== null) return state
      throw new Error(`${path} is damaged; remove it to begin with an empty sandbox for payments.`)
    },
    save(state) {
      if (writing === null) return start(state)
      // The running write may not include this change, so all callers wait for the next one.
      next ??= writing
        .catch(() => {})
        .then(() => {
          next = null
          return start(state)
        })
      return next
    },
  }
}
