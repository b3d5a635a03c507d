import { Snipkeep } from '../../sdk/snipkeep.js'
import type { CommandSpec } from '../command.js'

/** Serves the MCP tools to an assistant on this machine. */
const mcp: CommandSpec = {
  usage: 'mcp',
  summary: 'Serve MCP tools on standard input and output, for assistants',
  examples: ['claude mcp add snipkeep -- snipkeep mcp'],
  async run(context) {
    const { terminal, options } = context
    const { server } = await context.profile()
    // Report a missing sign-in now rather than at the first tool call.
    await context.credentials()
    const client = new Snipkeep({
      server,
      auth: { headers: context.credentials },
      retries: options.retry ? 3 : 0,
      userAgent: `snipkeep-mcp/${terminal.version}`,
    })
    // Most of the bundle is the MCP SDK: other commands must not wait for it.
    const { serveMcp } = await import('../serve-mcp.js')
    await serveMcp(client, terminal, (message) => void context.note(message))
  },
}

export const commands: readonly CommandSpec[] = [mcp]
