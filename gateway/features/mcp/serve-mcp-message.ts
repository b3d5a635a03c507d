import { createMcpHandler } from '@modelcontextprotocol/server'
import { createSnipkeepMcpServer } from '../../../clients/mcp/create-server.js'
import { Snipkeep, type SnipkeepOptions } from '../../../clients/sdk/snipkeep.js'

/**
 * The response to one MCP message, of the revision that it names.
 * @param message its body, parsed.
 * @param options of the client that tools call the API with.
 */
export async function serveMcpMessage(
  request: Request,
  message: unknown,
  options: SnipkeepOptions,
  version: string,
): Promise<Response> {
  const client = new Snipkeep(options)
  // No stream outlives a message: nothing that is served here changes by itself.
  const handler = createMcpHandler(() => createSnipkeepMcpServer(client, version), { maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: message })
}
