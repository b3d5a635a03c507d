// Module loader hooks: replace one module of the build with the version in this folder that lacks its
// optimization, so that the product needs no switch for it.
import { readFileSync } from 'node:fs'

/** The module of the build that each file of this folder replaces. */
const modulePaths = JSON.parse(readFileSync(new URL('module-paths.json', import.meta.url), 'utf8'))
const name = process.env.BENCH_WITHOUT ?? ''
const place = modulePaths[name]
if (place === undefined) throw new Error(`there is no ablation ${name}`)
const folder = new URL('.', import.meta.url).href

export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  // A replacement may import the module itself.
  const replaced = found.url.endsWith(`/dist/${place}`) && !context.parentURL?.startsWith(folder)
  return replaced ? { ...found, url: `${folder}${name}.mjs`, format: 'module' } : found
}
