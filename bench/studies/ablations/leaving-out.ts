import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Env } from '../../../e2e/harness/system-process.js'

const leaveOut = pathToFileURL(resolve('bench/studies/ablations/leave-out.mjs')).href

/** What is added to the environment of a process that takes a module from `ablations/` instead of its own. */
export function leavingOut(module: string): Env {
  return { NODE_OPTIONS: `--import=${leaveOut}`, BENCH_WITHOUT: module }
}
