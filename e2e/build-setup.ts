import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

declare global {
  /** Shared through the process, because each vitest project loads this module again. */
  var snipkeepBuild: Promise<unknown> | undefined
}

interface BuildStamp {
  sourceStamp(root: string): string
  noteBuild(root: string, stamp: string): void
}

/** Builds and records it as `npm start` does, which would otherwise build again during the tests. */
async function build(): Promise<void> {
  const module = new URL('../deploy/launcher/checkout.mjs', import.meta.url).href
  const { sourceStamp, noteBuild } = (await import(module)) as BuildStamp
  const root = process.cwd()
  const stamp = sourceStamp(root)
  for (const step of ['build:server', 'build:cli', 'build:bundles'])
    await promisify(execFile)('npm', ['run', '--silent', step])
  noteBuild(root, stamp)
}

/** Builds `dist/` once before the end-to-end tests, which run the same files as an operator. */
export async function setup(): Promise<void> {
  globalThis.snipkeepBuild ??= build()
  await globalThis.snipkeepBuild
}
