/** The id of a share, from its link or the id itself; `null` for anything else. */
export function shareIdOf(typed: string): string | null {
  const [, id = null] = /^(?:.*\/s\/)?([0-9A-Za-z]{22})(?:[/?#].*)?$/.exec(typed.trim()) ?? []
  return id
}
