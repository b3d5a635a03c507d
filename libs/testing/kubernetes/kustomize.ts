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

/** Why nothing can be built here; `null` if it can. */
export const kustomizeMissing: string | null = findMissing()

/** A note for the titles of tests that need kustomize, where it is missing. */
export const kustomizeNote: string = kustomizeMissing === null ? '' : ` (left out: ${kustomizeMissing})`

/**
 * The objects that a folder with a kustomization.yaml describes.
 * @throws Error with kustomize's message if the build fails.
 */
export function kustomize(folder: string): readonly KubernetesObject[] {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' } as const
  return parseObjects(execFileSync('kubectl', ['kustomize', folder], options))
}

/** The same for a base with components, in the given order, through a temporary overlay. */
export function kustomizeWith(base: string, components: readonly string[]): readonly KubernetesObject[] {
  // macOS has a link in the path of its temporary folder, which relative paths cannot cross.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'snipkeep-kustomize-')))
  try {
    const kustomization = {
      resources: [relative(folder, base)],
      components: components.map((component) => relative(folder, component)),
      // Components have no namespace; overlays set it.
      namespace: 'snipkeep',
    }
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization))
    return kustomize(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A build, and its name in test titles. */
export interface Build {
  readonly name: string
  readonly objects: readonly KubernetesObject[]
}

function foldersOf(root: string, name: string): readonly string[] {
  return readdirSync(join(root, name)).sort()
}

/** The names of the components below `root`. */
function componentsOf(root: string): readonly string[] {
  return foldersOf(root, 'components')
}

/** The base, every overlay, and the base with each single component; nothing if kustomize is missing. */
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
