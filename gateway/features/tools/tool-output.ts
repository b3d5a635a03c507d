import type { ToolDescription } from '#engine/tools/tool.js'
import type { DomainError } from '#libs/core/domain-error.js'
import type { CallContext } from '#libs/grpc/call.js'
import type { ByteSource } from '../../body/body-bytes.js'
import type { JobOrder, RunJob } from './jobs.js'

/** The bytes of a run so far. */
export interface RunSizes {
  input: number
  output: number
}

/** The largest input of a run, and the refusal of a larger one. */
export interface InputLimit {
  readonly bytesMax: number
  readonly tooMuch: () => DomainError
}

function counted(source: ByteSource, sizes: RunSizes, { bytesMax, tooMuch }: InputLimit): ByteSource {
  return {
    async next() {
      const chunk = await source.next()
      sizes.input += chunk?.length ?? 0
      if (sizes.input > bytesMax) throw tooMuch()
      return chunk
    },
    stop: (reason) => source.stop(reason),
  }
}

/** A run of a tool for somebody. */
export interface ToolOrder extends Pick<JobOrder, 'reader' | 'plan' | 'inputBytes' | 'onNote'> {
  readonly tool: ToolDescription
  readonly options: Readonly<Record<string, unknown>>
  readonly limit: InputLimit
  /** Counts the bytes of the run. */
  readonly sizes: RunSizes
}

/**
 * The output of a tool for this input; `next` throws DomainError 400 `invalid_input`, 413 `tool_too_large`, 503, and that
 * of the limit.
 */
export function toolOutput(
  runJob: RunJob,
  { tool, options, limit, sizes, ...order }: ToolOrder,
  input: ByteSource,
  call: CallContext,
): ByteSource {
  const value = { name: tool.name, options: Buffer.from(JSON.stringify(options)) }
  const inputs = [counted(input, sizes, limit)]
  const output = runJob({ ...order, job: { $case: 'tool', value }, inputs }, call)
  return {
    async next() {
      const chunk = await output.next()
      sizes.output += chunk?.length ?? 0
      return chunk
    },
    stop: (reason) => output.stop(reason),
  }
}
