import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { innocent, plants } from './testing/planted-imports.js'
import type { Plant } from './testing/planted-packages.js'

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string() })) }),
  }),
})

function everyFile(): Map<string, readonly string[]> {
  return new Map([
    ...Object.entries(innocent),
    ...plants.flatMap((plant) => Object.entries(plant.beside ?? {})),
    ...plants.flatMap((plant) => Object.entries(plant.wrong)),
  ])
}

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

async function plantTree(root: string): Promise<void> {
  for (const name of [
    '.dependency-cruiser.mjs',
    'scripts/client-boundary.mjs',
    'scripts/gateway-floors.mjs',
    'scripts/driver-homes.mjs',
    'package.json',
    'tsconfig.json',
  ])
    await cp(name, join(root, name))
  const files = everyFile()
  for (const [path, imports] of files)
    await write(root, path, `${imports.map((name) => `import '${name}'\n`).join('')}export const here = 1\n`)
  const reached = [...files.keys()].filter((path) => path !== 'gateway/dead.ts')
  await write(root, 'start.mjs', reached.map((path) => `import './${path}'\n`).join(''))
  const packages = new Set([...files.values()].flat().filter((name) => /^[@a-z][^:]*$/.test(name)))
  for (const name of packages) {
    await write(
      root,
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    )
    await write(root, `node_modules/${name}/index.js`, 'module.exports = {}\n')
  }
}

async function cruise(root: string): Promise<z.infer<typeof report>['summary']> {
  const cli = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [cli, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', '.']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  return report.parse(JSON.parse(stdout)).summary
}

/** A line for each forbidden import; a file that nothing imports is a violation too. */
function expected({ rule, wrong }: Plant): string[] {
  return Object.entries(wrong)
    .flatMap(([path, imports]) =>
      Array.from({ length: Math.max(1, imports.length) }, () => `${rule}: ${path}`),
    )
    .sort()
}

describe('the module boundaries, over a tree with a violation of each', () => {
  let root = ''
  let found: readonly string[] = []
  let rules: readonly string[] = []

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'snipkeep-rules-'))
    await plantTree(root)
    const { violations, ruleSetUsed } = await cruise(root)
    found = violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort()
    rules = ruleSetUsed.forbidden.map(({ name }) => name)
  })

  afterAll(() => rm(root, { recursive: true, force: true }))

  it('have a planted violation each', () => {
    expect(plants.map(({ rule }) => rule).sort()).toEqual([...rules].sort())
  })

  it.each(plants)('$rule is detected', (plant) => {
    expect(found.filter((line) => line.startsWith(`${plant.rule}:`))).toEqual(expected(plant))
  })

  it('find nothing else: neither a second rule in those files nor anything in correct ones', () => {
    expect(found).toEqual(plants.flatMap(expected).sort())
  })
})
