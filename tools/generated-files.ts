import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { catalogue } from '#libs/telemetry/catalogue.js'
import { configurationTable, environmentExample } from './configuration-documents.js'
import { readProcesses } from './processes.js'
import { telemetryDocument } from './telemetry-document.js'

/** Paths from the top of the repository, each with its text. */
export type GeneratedFiles = ReadonlyMap<string, string>

const protocolFolder = 'proto/gen'

async function filesBelow(root: string, folder: string): Promise<GeneratedFiles> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return new Map(
    await Promise.all(
      paths.map(
        async (path) => [relative(root, path).replaceAll('\\', '/'), await readFile(path, 'utf8')] as const,
      ),
    ),
  )
}

async function protocol(root: string): Promise<GeneratedFiles> {
  const out = await mkdtemp(join(tmpdir(), 'snipkeep-proto-'))
  try {
    const proto = join(root, 'proto')
    await promisify(execFile)(resolve(root, 'node_modules/.bin/buf'), ['generate', '--output', out], {
      cwd: proto,
    })
    const files = await filesBelow(out, 'gen')
    return new Map([...files].map(([path, text]) => [`proto/${path}`, text]))
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

/** Everything that `npm run generate` writes, made anew. */
export async function generatedFiles(root: string): Promise<GeneratedFiles> {
  const [messages, processes] = await Promise.all([protocol(root), readProcesses(root)])
  return new Map([
    ...messages,
    ['docs/configuration.md', configurationTable(processes)],
    ['.env.example', environmentExample(processes)],
    ['docs/telemetry.md', telemetryDocument(catalogue)],
  ])
}

/** What stands in the repository where generated files belong. */
export async function writtenFiles(root: string): Promise<GeneratedFiles> {
  const documents = ['docs/configuration.md', '.env.example', 'docs/telemetry.md'].map(async (path) => {
    const text = await readFile(join(root, path), 'utf8').catch(() => null)
    return text === null ? [] : [[path, text] as const]
  })
  return new Map([...(await filesBelow(root, protocolFolder)), ...(await Promise.all(documents)).flat()])
}

/** The paths that are missing, left over or different, each with which of these. */
export function staleFiles(generated: GeneratedFiles, written: GeneratedFiles): readonly string[] {
  const paths = [...new Set([...generated.keys(), ...written.keys()])].sort()
  return paths.flatMap((path) => {
    if (!written.has(path)) return [`${path} is missing`]
    if (!generated.has(path)) return [`${path} is left over`]
    return generated.get(path) === written.get(path) ? [] : [`${path} is out of date`]
  })
}
