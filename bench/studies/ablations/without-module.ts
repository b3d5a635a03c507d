import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Env } from '../../../e2e/harness/system-process.js'

const registerReplacement = pathToFileURL(resolve('bench/studies/ablations/register-replacement.mjs')).href

/** The environment of a process that uses a module of `ablations/` in place of its own. */
export function withoutModule(module: string): Env {
  return { NODE_OPTIONS: `--import=${registerReplacement}`, BENCH_WITHOUT: module }
}
