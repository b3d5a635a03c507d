/** By what a single snippet is kept. */
export function snippetKey(id: string): readonly [string, string] {
  return ['snippet', id]
}
