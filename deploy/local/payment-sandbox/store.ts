import { open, readFile, rename } from 'node:fs/promises'
import { emptyState, readState, type SandboxState } from './state.js'

/** Keeps the state of the sandbox. */
export interface SandboxStore {
  /**
   * The state that was kept last; an empty one at first.
   * @throws Error that says what to do when what is kept is damaged.
   */
  load(): Promise<SandboxState>
  /** Resolves when the state, as it was at the call or later, is safe. */
  save(state: SandboxState): Promise<void>
}

/** Keeps nothing beyond the process. */
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

/** Keeps the state in a file, which is whole at every moment; saves that come while one is written become one. */
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
      // What is written now may be older than this change; all who come meanwhile wait for the one after.
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
