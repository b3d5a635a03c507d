import { createMcpHandler } from '@modelcontextprotocol/server'
import { converters, findConverter } from '#engine/tools/converters.js'
import { tools } from '#engine/tools/registry.js'
import { Snipkeep, type SnipkeepOptions } from '#sdk/snipkeep.js'
import { createSnipkeepMcpServer } from '../../../clients/mcp/create-server.js'
import type { ToolRunner } from '../../../clients/mcp/run-tools.js'

/** Runs tools by the API, with its limits. */
function runnerOf(client: Snipkeep): ToolRunner {
  return {
    names: tools.map(({ name }) => name),
    ways: converters.map(({ from, to }) => `${from} ${to}`),
    toolFor: (from, to) => findConverter(from, to)?.name ?? null,
    run: (name, content, options) => client.tools.run(name, content, options),
  }
}

/**
 * Handles one MCP message, in the protocol revision that it names.
 * @param message the parsed body.
 * @param options for the client with which tools call the API.
 * @param offersTools whether the API runs tools that format and convert.
 */
export async function serveMcpMessage(
  request: Request,
  message: unknown,
  options: SnipkeepOptions,
  version: string,
  offersTools: boolean,
): Promise<Response> {
  const client = new Snipkeep(options)
  const runner = offersTools ? runnerOf(client) : null
  const handler = createMcpHandler(() => createSnipkeepMcpServer(client, version, runner))
  return handler.fetch(request, { parsedBody: message })
}
