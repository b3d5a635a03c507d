import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandLine } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'

let started: CommandLineWithKey
let cli: CommandLine
let owner: Record<string, string>

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli } = started)
  owner = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await started.system.issuer.token('mia') }
})
afterAll(() => started?.stop())

/** Runs a script of the guide in the folder of the command line. */
async function shell(script: string, env: Record<string, string>) {
  const own = { PATH: `${join(cli.folder, 'bin')}:${process.env.PATH}`, HOME: cli.folder, ...cli.env, ...env }
  const run = promisify(execFile)('sh', ['-e', '-c', script], { cwd: cli.folder, env: own })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), out: String(stdout), err: String(stderr) }),
  )
}

/** The program of the guide that makes the list, with the price of its second line. */
async function priced(price: string): Promise<void> {
  const list = `sku,price\nnut,${price === '12.00' ? '1.00' : '1.01'}\nbolt,${price}\n`
  await writeFile(join(cli.folder, 'make-prices'), `#!/bin/sh\nprintf '${list}'\n`, { mode: 0o755 })
}

it('the nightly price list of docs/contracts.md is allowed, breaks, is approved, and passes again', async () => {
  const page = await readFile('docs/contracts.md', 'utf8')
  const recipe = page.slice(page.indexOf('## A nightly price list'), page.indexOf('## Rules'))
  const [rules = ''] = [...recipe.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text]) => text)
  const scripts = [...recipe.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const [setUp = '', job = '', approve = ''] = scripts
  const [, shown = ''] = /^```console\n([\s\S]*?)^```$/m.exec(recipe) ?? []
  expect(scripts).toHaveLength(3)
  await writeFile(join(cli.folder, 'prices.contract.json'), rules)

  await priced('12.00')
  await shell('./make-prices > prices.csv', {})
  expect(await shell(setUp, owner)).toMatchObject({ code: 0 })
  expect((await shell(job, {})).out).toMatch(/^same: /)
  await priced('12.10')
  expect((await shell(job, {})).out).toMatch(/^allowed: 0 breaks, 2 allowed\n/)
  await priced('12.00')
  expect((await shell(job, {})).err).toBe('It is version 3 now.\n')
  await priced('15.00')
  const broken = await shell(job, {})
  expect(broken.code).toBe(1)
  const steady = (text: string): string =>
    text.replace(/https?:\S+/, 'URL').replace(/\d{4}-\d{2}-\d{2}/, 'DAY')
  expect(steady(broken.out + broken.err)).toBe(steady(shown.slice(shown.indexOf('\n') + 1)))
  const check = { CHECK: /https?:\S+/.exec(broken.out)?.[0] ?? '' }
  expect((await shell(approve, check)).err).toContain('[')
  expect(await shell(approve, { ...owner, ...check })).toMatchObject({ code: 0, out: '4\n' })
  expect(await shell(job, {})).toMatchObject({ code: 0, err: 'Version 4 has these bytes.\n' })
})
