import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Env } from '../../../e2e/harness/system-process.js'

const registerReplacement = pathToFileURL(resolve('bench/studies/ablations/register-replacement.mjs')).href

/** What is added to the environment of a process that takes a module from `ablations/` instead of its own. */
export function withoutModule(module: string): Env {
  return { NODE_OPTIONS: `--import=${registerReplacement}`, BENCH_WITHOUT: module }
}
