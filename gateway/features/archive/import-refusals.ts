import { DomainError } from '#libs/core/domain-error.js'

/** Refusals that hold for further items. */
export interface Refusals {
  /** By the kind of item, because of a limit of numbers. */
  readonly kinds: Map<ItemKind, DomainError>
  /** The snippet that was refused last: its versions follow it. */
  snippet: { readonly origin: string; readonly error: DomainError } | null
  /** The smallest data that did not fit into the storage. */
  storage: { readonly sizeBytes: number; readonly error: DomainError } | null
}

export type ItemKind = 'snippet' | 'version' | 'share'

export function kindOf(path: string): ItemKind {
  if (path.startsWith('data/shares/')) return 'share'
  return path.includes('@') ? 'version' : 'snippet'
}

interface Refusable {
  readonly refusals: Refusals
}

interface Item {
  readonly origin: string
  readonly sizeBytes: number
}

/** Why an item is refused without being read; `null` if it is not. */
export function earlierRefusal(
  { refusals: { kinds, snippet, storage } }: Refusable,
  path: string,
  { origin, sizeBytes }: Item,
): DomainError | null {
  const kind = kindOf(path)
  const ofKind = kinds.get(kind)
  if (ofKind !== undefined) return ofKind
  if (kind === 'version' && snippet?.origin === origin) return snippet.error
  // Smaller ones may still fit.
  return storage !== null && sizeBytes >= storage.sizeBytes ? storage.error : null
}

/** Records what the refusal of an item means for further ones. */
export function noteRefusal({ refusals }: Refusable, path: string, item: Item, error: unknown): void {
  if (!(error instanceof DomainError)) return
  const { origin, sizeBytes } = item
  const kind = kindOf(path)
  if (error.code === 'snippet_limit_reached' || error.code === 'share_limit_reached')
    refusals.kinds.set(kind, error)
  const { storage } = refusals
  if (error.code === 'storage_limit_reached' && sizeBytes < (storage?.sizeBytes ?? Number.POSITIVE_INFINITY))
    refusals.storage = { sizeBytes, error }
  if (kind === 'snippet') refusals.snippet = { origin, error }
}
