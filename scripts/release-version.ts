/** The files that name the version, besides the changelog. */
export const versionedFiles = [
  'package.json',
  'package-lock.json',
  'docker-bake.hcl',
  'docker-compose.yml',
  'deploy/kubernetes/README.md',
  'deploy/kubernetes/base/kustomization.yaml',
  'deploy/kubernetes/base/migrations/kustomization.yaml',
  'deploy/kubernetes/overlays/demo/kustomization.yaml',
] as const

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

function partsOf(version: string): readonly number[] {
  const [, ...parts] = semver.exec(version) ?? []
  return parts.map(Number)
}

/** Why this version cannot follow that one, as a sentence; `null` if it can. */
export function whyNotNext(version: string, before: string): string | null {
  const [next, last] = [partsOf(version), partsOf(before)]
  if (next.length === 0) return `${version} is no version such as 0.3.0.`
  const first = next.findIndex((part, index) => part !== last[index])
  if (first >= 0 && (next[first] ?? 0) > (last[first] ?? 0)) return null
  return `${version} does not come after ${before}.`
}

/** As in names of objects in Kubernetes. */
function dashed(version: string): string {
  return `-${version.replaceAll('.', '-')}`
}

/**
 * The text of a file of `versionedFiles` with the next version in place of the one before. In the lockfile only our own
 * entries have it: other packages may have the same version.
 */
export function withVersion(file: string, text: string, before: string, version: string): string {
  if (file !== 'package-lock.json')
    return text.replaceAll(before, version).replaceAll(dashed(before), dashed(version))
  const lock = JSON.parse(text) as { version: string; packages: { '': { version: string } } }
  const own = { ...lock.packages[''], version }
  return `${JSON.stringify({ ...lock, version, packages: { ...lock.packages, '': own } }, null, 2)}\n`
}

/** Why the changelog is not ready for a version, as a sentence; `null` if it is. */
export function whyNoNotes(changelog: string, version: string): string | null {
  const [, heading = ''] = /^## (.+)$/m.exec(changelog) ?? []
  if (!heading.startsWith(`${version} `))
    return `The first section of CHANGELOG.md is "${heading}", not ${version}.`
  if (!/^\S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    return `The section of ${version} in CHANGELOG.md has no date.`
  return null
}
