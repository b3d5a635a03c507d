import { parentPort, workerData } from 'node:worker_threads'
import { findTool } from '#libs/tools/registry.js'
import { ToolInputError } from '#libs/tools/tool.js'
import type { MessageFromTool, MessageToTool, ToolJob } from './tool-messages.js'

// The thread of one run of a tool. It asks for each chunk of input, and sends a chunk of output only if the gateway has
// room for it.

const port = parentPort
if (port === null) throw new Error('this is the code of a thread')

const tell = (message: MessageFromTool, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer])

let room = 0
let onRoom = (): void => {}
let onInput = (_bytes: Uint8Array | null): void => {}

port.on('message', (message: MessageToTool) => {
  if (message.kind === 'input') onInput(message.bytes)
  else {
    room += 1
    onRoom()
  }
})

async function* input(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const next = new Promise<Uint8Array | null>((resolve) => {
      onInput = resolve
    })
    tell({ kind: 'read' })
    const bytes = await next
    if (bytes === null) return
    yield bytes
  }
}

async function waitForRoom(): Promise<void> {
  while (room === 0)
    await new Promise<void>((resolve) => {
      onRoom = resolve
    })
  room -= 1
}

async function run({ name, options }: ToolJob): Promise<void> {
  const tool = findTool(name)
  if (tool === null) throw new Error(`there is no tool ${name}`)
  const start = await tool.load()
  for await (const bytes of start(input(), options)) {
    await waitForRoom()
    const own = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
    tell({ kind: 'output', bytes: own }, [own.buffer as ArrayBuffer])
  }
}

try {
  await run(workerData as ToolJob)
  tell({ kind: 'done' })
} catch (error) {
  if (!(error instanceof ToolInputError)) throw error
  const { code, message, position } = error
  tell({ kind: 'refused', code, message, position })
}
port.close()
