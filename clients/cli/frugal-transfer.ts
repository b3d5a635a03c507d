import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 2 * 1024 * 1024

/**
 * Reduces this process's memory while it moves bytes: counts those of a stream and frees consumed chunks. By
 * itself V8 waits until tens of megabytes have piled up, because it only sees the small wrapper objects, and
 * uses as much again to optimize the few functions that run (decision 0097).
 */
export function collectEarly(): (bytes: number) => void {
  for (const flag of ['--no-opt', '--no-maglev', '--expose-gc']) setFlagsFromString(flag)
  const collect: unknown = runInNewContext('gc')
  let bytes = 0
  return (more) => {
    bytes += more
    if (bytes < everyBytes || typeof collect !== 'function') return
    bytes = 0
    collect({ type: 'minor' })
  }
}

/** Lets V8 optimize again what runs from here on: without, work that takes seconds would take ten times as long. */
export function optimizeAgain(): void {
  setFlagsFromString('--opt')
}
