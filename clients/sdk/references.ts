/**
 * The path of a snippet, by its id or `@` and its name, or of one of its versions. Its data is at `/raw` below it.
 */
export function snippetPath(reference: string, version?: number): string {
  const path = `/api/snippets/${encodeURIComponent(reference).replace(/^%40/, '@')}`
  return version === undefined ? path : `${path}/revisions/${version}`
}

/** The path of a share. Its data is at `/raw` below it. */
export function sharePath(id: string): string {
  return `/api/shares/${encodeURIComponent(id)}`
}

/** The path of a check. Its candidate is at `/raw` below it. */
export function checkPath(id: string): string {
  return `/api/checks/${encodeURIComponent(id)}`
}

/** The snippet and the version in `id@3` or `@name@3`; `~3` means the same. `null` if no version is named. */
export function versionOf(text: string): { readonly id: string; readonly version: number } | null {
  const [, id, version] = /^(@?[^@~]+)[@~]([1-9][0-9]{0,8})$/.exec(text) ?? []
  return id === undefined ? null : { id, version: Number(version) }
}

interface Located {
  readonly server: string
  readonly id: string
}

function locatedAt(text: string, page: RegExp): Located | null {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const [, base = '', id] = page.exec(url.pathname) ?? []
  return id === undefined ? null : { server: `${url.origin}${base}`, id }
}

/** The server and the id in the URL of a share; `null` for any other text. */
export function shareAt(text: string): Located | null {
  return locatedAt(text, /^(.*)\/s\/([A-Za-z0-9_-]+)/)
}

/** The same of the page of a check. */
export function checkAt(text: string): Located | null {
  return locatedAt(text, /^(.*)\/checks\/([A-Za-z0-9_-]+)/)
}

/** The member of `data` that text from this tool becomes unless another is named: the last word of the tool. */
export function lastWord(tool: string): string {
  return tool.split(/[._-]/).findLast((word) => word !== '') ?? 'text'
}

/** The title of a snippet or share without one. */
export function titleFor(tool: string): string {
  return `${tool} ${new Date().toISOString().slice(0, 10)}`
}
