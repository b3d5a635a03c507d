import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const name = '@modelcontextprotocol/conformance'
const versions = { released: '0.1.16', next: '0.2.0-alpha.12' } as const
/** Its dependencies are those of this day, so that each run has the same. */
const before = '2026-11-20'
const nodeMin = 22

/** A generation of the suite. */
export type Generation = keyof typeof versions

/** What the suite says of one scenario. */
export interface ScenarioResult {
  readonly scenario: string
  readonly checks: readonly Check[]
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** The conformance suite of MCP, in both generations. */
export interface ConformanceSuite {
  /** Runs what the arguments choose against the server at `url`. */
  run(generation: Generation, url: string, args: readonly string[]): Promise<readonly ScenarioResult[]>
  remove(): void
}

/**
 * Installs the suite into a folder of its own: it is no dependency, as it has 50 MB and needs a newer Node than we do.
 * @returns what is missing, if it cannot run here; in CI it has to.
 */
export function installConformanceSuite(): ConformanceSuite | string {
  const found = Number.parseInt(process.versions.node, 10) < nodeMin ? `Node ${nodeMin}` : install()
  if (typeof found === 'string' && process.env.CI === 'true') throw new Error(`missing: ${found}`)
  return found
}

function install(): ConformanceSuite | string {
  const home = mkdtempSync(join(tmpdir(), 'snipkeep-conformance-'))
  const remove = () => rmSync(home, { recursive: true, force: true })
  for (const [generation, version] of Object.entries(versions)) {
    const prefix = join(home, generation)
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', `--before=${before}`, '--prefix', prefix]
    if (spawnSync('npm', ['install', ...options, `${name}@${version}`]).status === 0) continue
    remove()
    return `${name} of npm’s registry`
  }
  const programOf = (generation: Generation) => join(home, generation, 'node_modules', name, 'dist/index.js')
  return { run: (generation, url, args) => run(programOf(generation), url, args), remove }
}

async function run(
  program: string,
  url: string,
  args: readonly string[],
): Promise<readonly ScenarioResult[]> {
  const output = await mkdtemp(join(tmpdir(), 'snipkeep-conformance-results-'))
  try {
    // It fails if anything does, which the results say better.
    await promisify(execFile)(process.execPath, [program, 'server', '--url', url, ...args, '-o', output], {
      maxBuffer: Number.POSITIVE_INFINITY,
    }).catch(() => {})
    return await Promise.all(
      (await readdir(output)).map(async (folder) => ({
        scenario: /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder,
        checks: JSON.parse(await readFile(join(output, folder, 'checks.json'), 'utf8')) as readonly Check[],
      })),
    )
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}
