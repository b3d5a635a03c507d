/** What both published packages take from the project. */
export interface PublishedManifest {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly keywords: readonly string[]
  readonly homepage?: string
  readonly repository?: { readonly type: 'git'; readonly url: string; readonly directory: string }
}

/**
 * The fields that both published packages share. The repository is the one whose workflow builds them, as npm wants it
 * for its provenance; a build elsewhere names none.
 */
export function publishedManifest(
  project: string,
  directory: string,
  { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: Readonly<Record<string, string | undefined>>,
): PublishedManifest {
  const { version, license, engines, keywords }: PublishedManifest = JSON.parse(project)
  const shared = { version, license, engines, keywords }
  if (server === undefined || name === undefined) return shared
  const address = `${server}/${name}`
  return {
    ...shared,
    homepage: `${address}#readme`,
    repository: { type: 'git', url: `git+${address}.git`, directory },
  }
}
