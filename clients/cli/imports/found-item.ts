import type { Context } from '../context.js'
import type { ImportedItem } from './imported-item.js'

/** What to import, as it was typed. */
export interface ImportArguments {
  readonly what: readonly string[]
  /** All gists of this user. */
  readonly user: string | undefined
  /** Begins the names of the snippets, instead of `import-SERVICE`. */
  readonly prefix: string | undefined
  /** Nothing is saved, so nothing may be fetched that is deleted by that. */
  readonly dryRun: boolean
}

/** An item of another service, not yet read: if that fails, the others can still be imported. */
export interface FoundItem {
  /** What to call it if it fails. */
  readonly from: string
  /** Reads it and hands it to `save`. Throws whatever either throws. */
  importWith<Result>(save: (item: ImportedItem) => Promise<Result>): Promise<Result>
}

/** Finds the items of one service, one by one. */
export type ImportSource = (
  context: Context,
  input: ImportArguments,
) => AsyncGenerator<FoundItem, void, undefined>

/** An item that can be read again. */
export function found(from: string, read: () => ImportedItem | Promise<ImportedItem>): FoundItem {
  return { from, importWith: async (save) => save(await read()) }
}
