import { once } from 'node:events'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createSnipkeepMcpServer } from '../mcp/create-server.js'
import type { Snipkeep } from '../sdk/snipkeep.js'
import { localTools } from './local-tools.js'
import type { Terminal } from './terminal.js'

/** A longer message ends the session; one merely too large for a tool gets an error result. */
const messageBytesMax = 64 * 1_048_576

/** Serves MCP until standard input ends or the program is interrupted. */
export async function serveMcp(
  client: Snipkeep,
  { stdin, stdout, signal, version }: Terminal,
  onError: (message: string) => void,
): Promise<void> {
  const stopped = Promise.race([once(stdin, 'close'), once(stdin, 'end'), once(signal, 'abort')])
  const handle = serveStdio(() => createSnipkeepMcpServer(client, version, localTools), {
    transport: new StdioServerTransport(stdin, stdout, { maxBufferSize: messageBytesMax }),
    onerror: (error) => onError(error.message),
  })
  await stopped
  await handle.close()
}
