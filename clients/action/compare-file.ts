import { readFile } from 'node:fs/promises'
import {
  type ComparedSide,
  type Comparison,
  isCode,
  NotFoundError,
  type Snipkeep,
  shareAt,
} from '../sdk/exports.js'
import { InputError } from './runner.js'

/** What differs from a snippet or share to a file. */
export interface Compared {
  /** The snippet, by `@` and its name or by its id, or the link of the share. */
  readonly reference: string
  /** `null` if they were not compared. */
  readonly found: Comparison | null
  /** Why they were not. */
  readonly why: string | null
  readonly isTooLarge: boolean
}

/** How many changes a report shows. */
export const changesMax = 20

/** The id of a share in its link; `null` for a snippet. */
export function shareIdOf(reference: string): string | null {
  const share = shareAt(reference)
  return share !== null && /^[0-9A-Za-z]{22}$/.test(share.id) ? share.id : null
}

function sideOf(reference: string): ComparedSide {
  const share = shareIdOf(reference)
  return share === null ? { snippet: reference } : { share }
}

async function textIn(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof TypeError)
      throw new InputError(`${path} is not text in UTF-8, so it cannot be compared.`)
    throw error
  }
}

/**
 * Compares a file with a snippet or share, before anything is saved: the file may be about to replace it.
 * @param member of `data` that will hold the file.
 * @throws whatever the server refuses, except that there is nothing to compare with, or too much.
 */
export async function compareFile(
  sk: Snipkeep,
  reference: string,
  path: string,
  member: string,
): Promise<Compared> {
  const json = JSON.stringify({ [member]: await textIn(path) })
  try {
    const found = await sk.compare(sideOf(reference), { json }, { limit: changesMax })
    return { reference, found, why: null, isTooLarge: false }
  } catch (error) {
    const isTooLarge = isCode(error, 'compare_too_large')
    if (!isTooLarge && !(error instanceof NotFoundError)) throw error
    const why = isTooLarge ? 'too large to compare here; use snipkeep diff' : 'nothing to compare with yet'
    return { reference, found: null, why, isTooLarge }
  }
}
