import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'

/** A client of one era of the protocol. */
export type McpEra = 'legacy' | 'auto'

/** The revision that each era negotiates. */
export const revisionOf: Readonly<Record<McpEra, string>> = { legacy: '2025-11-25', auto: '2026-07-28' }

/** A connected MCP client. */
export async function connectMcp(
  transport: Transport,
  era: McpEra,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era }, ...options })
  await client.connect(transport)
  return client
}

/** The same over HTTP, with these headers on each request. */
export function connectMcpHttp(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  era: McpEra = 'auto',
  options: ClientOptions = {},
): Promise<Client> {
  return connectMcp(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
    era,
    options,
  )
}

/** The result of a tool. */
export interface ToolResult {
  readonly isError: boolean
  /** Its text blocks. */
  readonly texts: readonly string[]
  /** The first of them, parsed. */
  readonly first: Readonly<Record<string, unknown>>
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ToolResult> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const [first = ''] = texts
  return { isError: isError === true, texts, first: first.startsWith('{') ? JSON.parse(first) : {} }
}
