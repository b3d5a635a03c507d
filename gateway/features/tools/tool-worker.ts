import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { findTool } from '#libs/tools/registry.js'
import { ToolInputError } from '#libs/tools/tool.js'
import type { MessageFromTool, MessageToTool, ToolJob } from './tool-messages.js'

// The thread of one run of a tool.

/** The gateway, as the thread sees it: it sends input when asked, and says when it has room for output. */
function openGateway(port: MessagePort) {
  let room = 0
  let onRoom = (): void => {}
  let onInput = (_bytes: Uint8Array | null): void => {}
  const send = (message: MessageFromTool, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...transfer])

  port.on('message', (message: MessageToTool) => {
    if (message.kind === 'input') onInput(message.bytes)
    else {
      room += 1
      onRoom()
    }
  })

  return {
    send,
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
      const own = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
      send({ kind: 'output', bytes: own }, [own.buffer as ArrayBuffer])
    },
  }
}

async function run({ name, options }: ToolJob, port: MessagePort): Promise<void> {
  const gateway = openGateway(port)
  try {
    const tool = findTool(name)
    if (tool === null) throw new Error(`there is no tool ${name}`)
    const start = await tool.load()
    for await (const bytes of start(gateway.input(), options)) await gateway.output(bytes)
    gateway.send({ kind: 'done' })
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error
    const { code, message, position } = error
    gateway.send({ kind: 'refused', code, message, position })
  }
  port.close()
}

if (parentPort !== null) await run(workerData as ToolJob, parentPort)
