import { execFileSync } from 'node:child_process'
import { autocannonLoad } from './autocannon-load.js'
import type { LoadOrder, LoadResult, LoadTool } from './load-order.js'
import { wrkLoad } from './wrk-load.js'

/** `wrk` where it is installed: it takes a tenth of the processor time that autocannon takes. */
export function loadTool(): LoadTool {
  try {
    // It prints its version and ends with 1.
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return autocannonLoad
  }
  return wrkLoad
}

/**
 * Makes a load.
 * @throws Error when a single response was not the expected one.
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
