import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 8 * 1024 * 1024

/**
 * Counts the bytes of a stream and frees chunks that are done with. By itself V8 waits until tens of megabytes have
 * gathered, because it sees only the small objects that hold them.
 */
export function garbageCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  let bytes = 0
  return (more) => {
    bytes += more
    if (bytes < everyBytes || typeof collect !== 'function') return
    bytes = 0
    collect({ type: 'minor' })
  }
}
