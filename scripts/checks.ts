import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findConventionProblems } from './code-conventions.js'
import { generatedFiles, staleFiles, writtenFiles } from './generated-files.js'
import { sourceFiles } from './source-files.js'
import { findThreatProblems } from './threat-tests.js'

/** A check of the whole repository. */
export interface Check {
  readonly name: string
  /** The problems, ready to print; empty if there are none. */
  run(): Promise<readonly string[]>
}

/** A check by an external program, which fails with a nonzero exit code. */
function program(name: string, command: string, args: readonly string[], folder: string): Check {
  return {
    name,
    run: () =>
      new Promise((found) => {
        execFile(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
          const output = `${stdout}${stderr}`.trim()
          found(error === null ? [] : [output === '' ? error.message : output])
        })
      }),
  }
}

function freshness(root: string): Check {
  return {
    name: 'generated files are fresh',
    run: async () => {
      const generated = await generatedFiles(root)
      const stale = staleFiles(generated, await writtenFiles(root, generated.keys()))
      return stale.map((line) => `${line}; run npm run generate`)
    },
  }
}

/** All checks, slowest first. */
export function allChecks(root: string): readonly Check[] {
  const bin = (name: string) => resolve(root, 'node_modules/.bin', name)
  return [
    program('types', bin('tsc'), ['-p', '.'], root),
    program('types in the browser', bin('tsc'), ['-p', 'services/web/browser'], root),
    program('module boundaries', bin('depcruise'), ['--config', '.dependency-cruiser.mjs', '.'], root),
    program(
      'format and lint',
      bin('biome'),
      ['check', '--error-on-warnings', '--max-diagnostics=50', '.'],
      root,
    ),
    freshness(root),
    program('protocol lint', bin('buf'), ['lint'], resolve(root, 'proto')),
    program(
      'protocol of the last release',
      bin('buf'),
      ['breaking', '--against', 'released.binpb'],
      resolve(root, 'proto'),
    ),
    {
      name: 'every threat has its test',
      run: async () =>
        findThreatProblems(await readFile(resolve(root, 'docs/threats.md'), 'utf8'), await sourceFiles(root)),
    },
    { name: 'code conventions', run: async () => findConventionProblems(await sourceFiles(root)) },
  ]
}
