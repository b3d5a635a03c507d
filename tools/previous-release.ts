/** What a lockfile of npm says is installed, by path. */
type Packages = Readonly<Record<string, unknown>>

function packagesOf(lockfile: string): Packages {
  const parsed: unknown = JSON.parse(lockfile)
  const found = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'packages') : null
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

function versionOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null ? String(Reflect.get(entry, 'version')) : ''
}

/** Whether everything that the lockfile of a release names is also named, in the same version, by another one. */
export function isCoveredBy(release: string, other: string): boolean {
  const there = packagesOf(other)
  return Object.entries(packagesOf(release)).every(
    ([path, entry]) => path === '' || versionOf(there[path]) === versionOf(entry),
  )
}

/**
 * The commit of the release before: the one that was requested, else the latest tag, else the one that is noted.
 * @throws Error when there is none of them.
 */
export function choosePrevious(asked: string | undefined, tag: string | null, noted: string | null): string {
  const chosen = [asked, tag, noted].find((name) => (name ?? '').trim() !== '')
  if (chosen === undefined || chosen === null)
    throw new Error('There is no release before: no tag, and docs/previous-release.txt is empty.')
  return chosen.trim()
}
