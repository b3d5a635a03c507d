import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stringify } from 'yaml'
import { type KubernetesObject, parseObjects } from './kubernetes-object.js'

function findMissing(): string | null {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' })
    return null
  } catch {
    return 'there is no kubectl on this machine'
  }
}

/** Why nothing can be built here, or `null`. */
export const kustomizeMissing: string | null = findMissing()

/** What stands behind the title of tests that need kustomize, where it is missing. */
export const kustomizeNote: string = kustomizeMissing === null ? '' : ` (left out: ${kustomizeMissing})`

/**
 * The objects that a folder with a kustomization.yaml describes.
 * @throws Error with what kustomize says when it does not build.
 */
export function kustomize(folder: string): readonly KubernetesObject[] {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' } as const
  return parseObjects(execFileSync('kubectl', ['kustomize', folder], options))
}

/** The same for a base with components, in the order that is given; the overlay lives no longer than the build. */
export function kustomizeWith(base: string, components: readonly string[]): readonly KubernetesObject[] {
  // macOS has a link in the path of its temporary folder, and relative paths do not go through links.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'snipkeep-kustomize-')))
  try {
    const kustomization = {
      resources: [relative(folder, base)],
      components: components.map((component) => relative(folder, component)),
      // What components bring has no namespace of its own; each overlay gives it one.
      namespace: 'snipkeep',
    }
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization))
    return kustomize(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Something that was built, and what it is called in the title of a test. */
export interface Build {
  readonly name: string
  readonly objects: readonly KubernetesObject[]
}

function foldersOf(root: string, name: string): readonly string[] {
  return readdirSync(join(root, name)).sort()
}

/** The names of the components below a folder that has base, components and overlays. */
function componentsOf(root: string): readonly string[] {
  return foldersOf(root, 'components')
}

/** The base, every overlay, and the base with every single component; nothing where kustomize is missing. */
export function buildEverything(root: string): readonly Build[] {
  if (kustomizeMissing !== null) return []
  const base = join(root, 'base')
  return [
    { name: 'base', objects: kustomize(base) },
    ...foldersOf(root, 'overlays').map((name) => ({
      name: `overlays/${name}`,
      objects: kustomize(join(root, 'overlays', name)),
    })),
    ...componentsOf(root).map((name) => ({
      name: `components/${name}`,
      objects: kustomizeWith(base, [join(root, 'components', name)]),
    })),
  ]
}
