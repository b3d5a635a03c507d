import { DomainError } from '#libs/core/domain-error.js'
import { ToolInputError } from '#libs/tools/tool.js'
import type { ByteSource } from '../../body/body-bytes.js'
import { runInWorker, type ToolBounds, ToolLimitError, toolBounds } from './run-in-worker.js'
import type { ToolJob } from './tool-messages.js'

/** 413 `tool_too_large`. */
function tooLarge({ name }: ToolJob): DomainError {
  const message = `This input takes too much time or memory here. Run the tool on your machine, at any size: snipkeep tool ${name} FILE`
  return new DomainError('too-large', 'tool_too_large', message)
}

/** 400 `invalid_input`: the tool cannot take the input. */
function invalidInput({ code, message, position }: ToolInputError): DomainError {
  const where = position === null ? '' : ` (line ${position.line}, column ${position.column})`
  const sentence = `${message.replace(/\.$/, '')}${where}.`
  return new DomainError('invalid', 'invalid_input', sentence, { reason: code, ...position })
}

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

/**
 * The output of a tool for this input; `next` throws DomainError 400 `invalid_input`, 413 `tool_too_large`, and that of
 * the limit.
 */
export function toolOutput(
  job: ToolJob,
  input: ByteSource,
  sizes: RunSizes,
  limit: InputLimit,
  bounds: ToolBounds = toolBounds,
): ByteSource {
  const output = runInWorker(job, counted(input, sizes, limit), bounds)
  return {
    async next() {
      try {
        const chunk = await output.next()
        sizes.output += chunk?.length ?? 0
        return chunk
      } catch (error) {
        if (error instanceof ToolInputError) throw invalidInput(error)
        throw error instanceof ToolLimitError ? tooLarge(job) : error
      }
    },
    stop: (reason) => output.stop(reason),
  }
}
