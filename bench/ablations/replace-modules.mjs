// Hooks of the module loader: a module of the build is taken from this folder instead, where one of the same name does
// without what it is for. What is measured so needs no switch for it.

/** The module of the build, by the name of its replacement. */
const places = {
  'caller-cache': 'gateway/auth/caller-cache.js',
  coalesce: 'libs/runtime/coalesce.js',
  'end-when-silent': 'libs/postgres/query-timeout.js',
  'hot-answers': 'gateway/http/fast-path.js',
  'page-memory': 'gateway/features/snippets/page-cache.js',
  'prepared-messages': 'gateway/http/node-internals/prepared-messages.js',
  'share-memory': 'gateway/features/shares/share-cache.js',
  'snippet-memory': 'gateway/features/snippets/snippet-cache.js',
  'verified-tokens': 'gateway/auth/verified-tokens.js',
}

const name = process.env.BENCH_WITHOUT ?? ''
const place = places[name]
if (place === undefined) throw new Error(`nothing is called ${name}`)
const folder = new URL('.', import.meta.url).href

export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  // A replacement may still ask for the module itself.
  const replaced = found.url.endsWith(`/dist/${place}`) && !context.parentURL?.startsWith(folder)
  return replaced ? { ...found, url: `${folder}${name}.mjs`, format: 'module' } : found
}
