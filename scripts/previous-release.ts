/** Installed packages in an npm lockfile, by path. */
type Packages = Readonly<Record<string, unknown>>

function packagesOf(lockfile: string): Packages {
  const parsed: unknown = JSON.parse(lockfile)
  const found = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'packages') : null
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

function versionOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null ? String(Reflect.get(entry, 'version')) : ''
}

/** Whether everything in a release's lockfile is also in another one, in the same version. */
export function isCoveredBy(release: string, other: string): boolean {
  const there = packagesOf(other)
  return Object.entries(packagesOf(release)).every(
    ([path, entry]) => path === '' || versionOf(there[path]) === versionOf(entry),
  )
}

/**
 * The commit of the previous release: the requested one, else the latest tag, else the recorded one.
 * @throws Error if there is none.
 */
export function choosePrevious(asked: string | undefined, tag: string | null, noted: string | null): string {
  const chosen = [asked, tag, noted].find((name) => (name ?? '').trim() !== '')
  if (chosen === undefined || chosen === null)
    throw new Error('There is no release before: no tag, and docs/previous-release.txt is empty.')
  return chosen.trim()
}
