import { readFileSync } from 'node:fs'

/** What is replaced, each of which has to occur. */
export type Replacements = readonly (readonly [from: string | RegExp, to: string])[]

/**
 * A fenced block of a page of `docs/`, for a test that runs what the page shows.
 * @param beginning how the block begins.
 * @param replacements what a test must change: addresses, ports, certificates.
 * @throws Error if the page has no such block, or the block does not have what is replaced.
 */
export function pageFence(page: string, beginning: string, replacements: Replacements): string {
  const fences = [...readFileSync(page, 'utf8').matchAll(/^ *```\w+\n([\s\S]*?)^ *```$/gm)]
  const shown = fences.map(([, text = '']) => text).find((text) => text.trimStart().startsWith(beginning))
  if (shown === undefined) throw new Error(`${page} shows nothing that begins with "${beginning}"`)
  return replacements.reduce((text, [from, to]) => {
    if (typeof from === 'string' ? text.includes(from) : text.search(from) !== -1)
      return text.replace(from, to)
    throw new Error(`${page} does not show ${from} where it begins with "${beginning}"`)
  }, shown)
}
