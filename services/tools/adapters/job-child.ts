import { CompareError } from '#engine/compare/comparison.js'
import { ContractError } from '#engine/contract/contract.js'
import { findTool } from '#engine/tools/registry.js'
import { boundedNotes } from '#engine/tools/tool.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { wholeBytes } from '#engine/tools/whole-input.js'
import type { ContractJob, Job } from '../domain/job.js'
import { chunksAhead, type MessageFromChild, type MessageToChild } from './child-messages.js'
import { compareDocuments } from './compare-documents.js'
import { judgeDocuments } from './judge-documents.js'

// The child process of jobs, one after the other. It has no environment, no socket and no way to its parent but these
// messages; what a job takes too much of ends it, and it alone.

/** Of output: the parent never holds more than it can refuse, whatever a tool makes at once. */
const messageBytesMax = 65_536

const send = (message: MessageFromChild): void => {
  process.send?.(message)
}

/** What a job gets from its parent. */
function createExchange() {
  let room = chunksAhead
  let onRoom = (): void => {}
  let onInput = (_bytes: Uint8Array | null): void => {}
  return {
    take(message: Exclude<MessageToChild, { readonly kind: 'job' }>): void {
      if (message.kind === 'input') onInput(message.bytes)
      else {
        room += 1
        onRoom()
      }
    },
    /** The next input. */
    async *input(): AsyncGenerator<Uint8Array, void, undefined> {
      for (;;) {
        const next = new Promise<Uint8Array | null>((resolve) => {
          onInput = resolve
        })
        send({ kind: 'read' })
        const bytes = await next
        if (bytes === null) return
        yield bytes
      }
    },
    /** Sends once there is room. */
    async output(bytes: Uint8Array): Promise<void> {
      while (room === 0)
        await new Promise<void>((resolve) => {
          onRoom = resolve
        })
      room -= 1
      send({ kind: 'output', bytes })
    },
  }
}

type Exchange = ReturnType<typeof createExchange>

async function judgementOf(job: ContractJob, exchange: Exchange): Promise<Uint8Array> {
  const next = async (input: ContractJob['inputs'][number]): Promise<Uint8Array | undefined> =>
    job.inputs.includes(input) ? await wholeBytes(exchange.input()) : undefined
  const [baseline, candidate] = [await next('baseline'), await next('candidate')]
  return judgeDocuments(job, { baseline, candidate, schema: await next('schema') })
}

async function outputOf(
  job: Job,
  exchange: Exchange,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  if (job.kind === 'comparison')
    return compareDocuments(job, await wholeBytes(exchange.input()), await wholeBytes(exchange.input()))
  if (job.kind === 'contract') return [await judgementOf(job, exchange)]
  const tool = findTool(job.name)
  if (tool === null) throw new Error(`there is no tool ${job.name}`)
  const start = await tool.load()
  return start(
    exchange.input(),
    job.options,
    boundedNotes((note) => send({ kind: 'note', note })),
  )
}

function failureOf(error: unknown): MessageFromChild {
  if (error instanceof ToolInputError) {
    const { code, message, position } = error
    return { kind: 'invalid', code, message, position }
  }
  if (error instanceof CompareError) return { kind: 'incomparable', code: error.code, message: error.message }
  if (error instanceof ContractError)
    return { kind: 'wrong-contract', pointer: error.pointer, message: error.message }
  // An allocation that fits into no array or string.
  if (error instanceof RangeError) return { kind: 'too-large' }
  return { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

async function run(job: Job, exchange: Exchange): Promise<void> {
  try {
    for await (const bytes of await outputOf(job, exchange))
      for (let at = 0; at < bytes.length; at += messageBytesMax)
        await exchange.output(bytes.subarray(at, at + messageBytesMax))
    send({ kind: 'done' })
  } catch (error) {
    send(failureOf(error))
  }
}

function listen(): void {
  let exchange = createExchange()
  process.on('message', (message: MessageToChild) => {
    if (message.kind === 'job') {
      exchange = createExchange()
      void run(message.job, exchange)
    } else exchange.take(message)
  })
  process.on('disconnect', () => process.exit())
  send({ kind: 'ready' })
}

listen()
