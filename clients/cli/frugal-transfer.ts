import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 2 * 1024 * 1024

/**
 * Has this process move bytes in little memory: counts those of a stream, and frees chunks that are done with. By itself
 * V8 waits until tens of megabytes have gathered, because it sees only the small objects that hold them, and takes as much
 * again to optimize the few lines that run (decision 0099).
 */
export function frugalTransfer(): (bytes: number) => void {
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
