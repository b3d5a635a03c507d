import type { ApiKey } from '#sdk/exports.js'

const body = '{"tool":"csv","title":"From my terminal","data":{"csv":"a,b"}}'

/** A curl command that tries the key: it lists snippets, or saves one if the key cannot read. */
export function curlLine(origin: string, key: string, scopes: readonly ApiKey['scopes'][number][]): string {
  const call = `curl -H 'X-API-Key: ${key}' ${origin}/api/snippets`
  return scopes.includes('read') ? call : `${call} -H 'Content-Type: application/json' -d '${body}'`
}
