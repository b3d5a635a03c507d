import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The entry points of each image's processes. */
const entryPoints: Readonly<Record<string, readonly string[]>> = {
  gateway: ['gateway/main.ts'],
  web: ['services/web/main.ts'],
  content: ['services/content/main.ts'],
  identity: ['services/identity/main.ts'],
  activity: ['services/activity/main.ts'],
  billing: ['services/billing/main.ts'],
  tools: ['services/tools/main.ts', 'services/tools/adapters/job-child.ts'],
  issuer: ['dev/issuer/main.ts'],
  sandbox: ['dev/payment-sandbox/main.ts'],
}
const healthProbe = 'deploy/container/health-probe.ts'

/** What a file imports, statically or dynamically, except type imports. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8')
  if (/\bimport\((?!')/.test(text)) throw new Error(`${path} imports by a computed name; write it out`)
  const forms = [
    /^(?:import|export) (?!type\b)[^'"]*?\bfrom ['"]([^'"]+)['"]/gm,
    /^import ['"]([^'"]+)['"]/gm,
    /(?<!typeof )\bimport\('([^']+)'\)/g,
  ]
  return forms.flatMap((form) => [...text.matchAll(form)].map(([, specifier = '']) => specifier))
}

function fileOf(from: string, specifier: string): string | null {
  const path = specifier.startsWith('#')
    ? specifier
        .slice(1)
        .replace(/^proto\//, 'proto/gen/')
        .replace(/^sdk\//, 'clients/sdk/')
    : specifier.startsWith('.')
      ? posix.join(posix.dirname(from), specifier)
      : null
  return path?.replace(/\.js$/, '.ts') ?? null
}

/** The package of an import; `null` for a built-in module of Node. */
function packageOf(specifier: string): string | null {
  if (specifier.startsWith('node:')) return null
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** What an image needs: our own files, and packages. */
interface ProcessImports {
  readonly files: readonly string[]
  readonly packages: readonly string[]
}

/**
 * What each image needs: what its processes import, directly or through our own files.
 * @throws Error if an import cannot be resolved to one of our files.
 */
export function processImports(root: string): Readonly<Record<string, ProcessImports>> {
  const imports = new Map<string, readonly string[]>()
  const readImports = (path: string): readonly string[] => {
    if (!existsSync(join(root, path))) throw new Error(`${path} is imported and does not exist`)
    const found = imports.get(path) ?? importsOf(join(root, path))
    imports.set(path, found)
    return found
  }
  const importsFrom = (...entries: readonly string[]): ProcessImports => {
    const files = new Set(entries)
    const packages = new Set<string>()
    // Iterating a set includes elements added meanwhile.
    for (const path of files) {
      for (const specifier of readImports(path)) {
        const file = fileOf(path, specifier)
        const name = packageOf(specifier)
        if (file !== null) files.add(file)
        else if (name !== null) packages.add(name)
      }
    }
    return { files: [...files].sort(), packages: [...packages].sort() }
  }
  return Object.fromEntries(
    Object.entries(entryPoints).map(([image, entries]) => [image, importsFrom(...entries, healthProbe)]),
  )
}

/**
 * The packages that each image needs.
 * @throws Error as `processImports` does.
 */
export function processPackages(root: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(processImports(root)).map(([image, { packages }]) => [image, packages]),
  )
}
