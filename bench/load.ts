import { execFileSync } from 'node:child_process'
import { autocannonLoad } from './autocannon-load.js'
import type { LoadOrder, LoadResult, LoadTool } from './load-order.js'
import { wrkLoad } from './wrk-load.js'

/** `wrk` if installed: it needs a tenth of autocannon's CPU time. */
export function loadTool(): LoadTool {
  try {
    // It prints its version and exits with 1.
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return autocannonLoad
  }
  return wrkLoad
}

/**
 * Runs a load.
 * @throws Error on any unexpected response.
 */
export async function runLoad(tool: LoadTool, order: LoadOrder): Promise<LoadResult> {
  const { wrong, firstWrong, ...result } = await tool.run(order)
  if (wrong > 0 || result.requests === 0) {
    throw new Error(
      `${wrong} of ${result.requests} responses of ${order.baseUrl} were wrong, first ${firstWrong}`,
    )
  }
  return result
}
