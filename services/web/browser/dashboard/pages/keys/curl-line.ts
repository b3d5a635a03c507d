import type { KeyScope } from '../../api/keys.js'

const body = '{"tool":"csv","title":"From my terminal","data":{"csv":"a,b"}}'

/** A line for a terminal that shows that a key works: it lists snippets, or saves one where the key may not read. */
export function curlLine(origin: string, key: string, scopes: readonly KeyScope[]): string {
  const call = `curl -H 'X-API-Key: ${key}' ${origin}/api/snippets`
  return scopes.includes('read') ? call : `${call} -H 'Content-Type: application/json' -d '${body}'`
}
