import { createMcpHandler } from '@modelcontextprotocol/server'
import { createSnipkeepMcpServer } from '../../../clients/mcp/create-server.js'
import { Snipkeep, type SnipkeepOptions } from '../../../clients/sdk/snipkeep.js'

/**
 * Handles one MCP message, in the protocol revision that it names.
 * @param message the parsed body.
 * @param options for the client with which tools call the API.
 */
export async function serveMcpMessage(
  request: Request,
  message: unknown,
  options: SnipkeepOptions,
  version: string,
): Promise<Response> {
  const client = new Snipkeep(options)
  // No subscriptions: nothing that this server offers changes by itself.
  const handler = createMcpHandler(() => createSnipkeepMcpServer(client, version), { maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: message })
}
