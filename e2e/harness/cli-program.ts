import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

interface Checkout {
  sourceStamp(root: string): string
}

const builds = 'node_modules/.cache/cli'

/** Builds beside the folder and then renames, because several processes may build at the same time. */
async function build(folder: string): Promise<void> {
  await mkdir(builds, { recursive: true })
  const outdated = (await readdir(builds)).filter((name) => !name.startsWith('new-'))
  const made = resolve(await mkdtemp(join(builds, 'new-')))
  const vite = ['build', '--logLevel', 'warn', '--outDir', made, 'clients/cli']
  await promisify(execFile)('node_modules/.bin/vite', vite)
  await rename(made, folder).catch(() => rm(made, { recursive: true }))
  for (const name of outdated) await rm(join(builds, name), { recursive: true, force: true })
}

/** The command line as published, built once for the sources as they are. */
async function builtProgram(): Promise<string> {
  const checkout = new URL('../../deploy/launcher/checkout.mjs', import.meta.url).href
  const { sourceStamp } = (await import(checkout)) as Checkout
  const folder = join(builds, sourceStamp(process.cwd()))
  if (!existsSync(folder)) await build(folder)
  return resolve(folder, 'snipkeep.mjs')
}

/** Writes `bin/snipkeep` into a folder, and returns the program that it starts. */
export async function installCli(folder: string): Promise<string> {
  const program = await builtProgram()
  await mkdir(join(folder, 'bin'))
  const launcher = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`
  await writeFile(join(folder, 'bin/snipkeep'), launcher, { mode: 0o755 })
  return program
}
