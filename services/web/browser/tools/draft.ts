import type { OptionValues } from './option-values.js'

/** What an output is kept as. */
export type Purpose = 'save' | 'share'

/** What someone was about to keep when they had to sign in first, or has shared with the installed app. */
export interface Draft {
  /** `null` for any, empty for the front page. */
  readonly tool: string | null
  readonly options: OptionValues
  readonly input: Blob
  /** Of a file. */
  readonly name: string | null
  /** `null` for nothing but to open it. */
  readonly purpose: Purpose | null
}

const database = 'snipkeep-tools'
const store = 'drafts'

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store)
  return settled(request)
}

/** Whether this tab has left for a sign-in; other tabs may have drafts of their own. */
const markKey = 'snipkeep.tool-draft'

/** A sign-in that takes longer has been given up. */
const keptMsMax = 3_600_000

/**
 * Keeps the draft in this browser, and returns its id.
 * @throws what the browser says if it has no room, or keeps nothing.
 */
export async function putDraft(draft: Draft): Promise<string> {
  const db = await opened()
  try {
    const id = crypto.randomUUID()
    await settled(db.transaction(store, 'readwrite').objectStore(store).put({ draft, at: Date.now() }, id))
    return id
  } finally {
    db.close()
  }
}

/** Makes the draft that of this tab. */
export function adoptDraft(id: string): void {
  sessionStorage.setItem(markKey, id)
}

/** Whether this tab has a draft. */
export function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(markKey) !== null
  } catch {
    // Where storage is blocked there is none.
    return false
  }
}

/** Takes and deletes the draft of this tab if it is for this tool, and deletes old ones; `null` if there is none for it. */
export async function takeDraft(tool: string): Promise<Draft | null> {
  const id = sessionStorage.getItem(markKey)
  const db = await opened()
  try {
    const drafts = db.transaction(store, 'readwrite').objectStore(store)
    const found: { readonly draft: Draft } | undefined =
      id === null ? undefined : await settled(drafts.get(id))
    const isOthers = found !== undefined && ![tool, null].includes(found.draft.tool)
    if (!isOthers) sessionStorage.removeItem(markKey)
    if (id !== null && !isOthers) drafts.delete(id)
    const all = drafts.openCursor()
    all.onsuccess = () => {
      const cursor = all.result
      if (cursor === null) return
      if (!(Date.now() - cursor.value.at < keptMsMax)) cursor.delete()
      cursor.continue()
    }
    return found === undefined || isOthers ? null : found.draft
  } finally {
    db.close()
  }
}
