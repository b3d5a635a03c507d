import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isCode, type ProblemError } from '../sdk/problem-error.js'
import type { Snipkeep } from '../sdk/snipkeep.js'
import { parseReference } from './output-reference.js'
import { openRaw } from './read-tools.js'
import { errorResult, resourceLink, resultOf, structuredResult } from './results.js'

const answer = z.object({
  publish: z.boolean().describe('Whether to publish it nevertheless, for anyone who has the link.'),
})

/** What was found, as the server says it: without the secrets. */
function found({ errors, detail }: ProblemError): string {
  const lines = errors.map(({ pointer, detail: what }) => `- ${pointer}: ${what}`)
  return lines.length === 0 ? detail : lines.join('\n')
}

/** Whether the client can ask its user: it says so with each request, or when it connected. */
function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const ofRequest: unknown = Reflect.get(Object(mcpReq.envelope), CLIENT_CAPABILITIES_META_KEY)
  const capabilities = ofRequest ?? server.server.getClientCapabilities()
  return Reflect.get(Object(capabilities), 'elicitation') !== undefined
}

/**
 * Publishes what holds no secrets, and asks the user before it publishes what does. A client that cannot ask gets an
 * error that names what was found.
 */
async function askAboutSecrets(
  server: McpServer,
  context: ServerContext,
  publish: (allowSecrets: boolean) => Promise<CallToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const { inputResponses } = context.mcpReq
  const isAnswered = inputResponses?.secrets !== undefined
  const isAllowed = acceptedContent(inputResponses, 'secrets', answer)?.publish === true
  if (isAnswered && !isAllowed) return errorResult('Nothing was published: the user declined.')
  try {
    return await resultOf(() => publish(isAllowed), 'secret_found')
  } catch (error) {
    if (!isCode(error, 'secret_found')) throw error
    const message = `This seems to contain secrets:\n${found(error)}`
    if (!canAsk(server, context))
      return errorResult(
        `${message}\nNothing was published. Remove them, or let the user share it: snipkeep share`,
      )
    return inputRequired({
      inputRequests: {
        secrets: inputRequired.elicit({ message: `${message}\nPublish anyway?`, requestedSchema: answer }),
      },
    })
  }
}

/** The maximum content an assistant may send; larger content should be saved from a file with the CLI. */
const sentBytesMax = 262_144

/** Text to send. */
export const content = z
  .string()
  .describe('The text itself: CSV, JSON, SQL, Markdown, … It is stored byte for byte, so send it exactly.')
export const tool = z.string().min(1).max(200).describe('What made it, such as json-formatter or csv.')
export const title = z.string().max(1_000).optional()
export const key = z
  .string()
  .max(200)
  .optional()
  .describe('The member of the stored JSON object that the text becomes; the last word of tool by default.')

/**
 * What is wrong with the content; `null` if nothing is.
 * @param command takes larger content from a file.
 */
export function contentProblem(text: string, command = 'snipkeep save FILE'): string | null {
  const bytes = Buffer.byteLength(text)
  if (bytes > sentBytesMax)
    return `content has ${bytes} bytes, and ${sentBytesMax} are possible here. Write it to a file and run: ${command}`
  return text.isWellFormed() ? null : 'content holds half of a surrogate pair, which UTF-8 cannot express.'
}

const saving = z.object({
  tool,
  content,
  title,
  key,
  name: z
    .string()
    .regex(
      /^@?[a-z0-9][a-z0-9._-]{0,99}$/,
      'must be 1 to 100 of a-z, 0-9, ".", "_" and "-", the first a letter or digit',
    )
    .optional()
    .describe('Such as nightly-report.'),
  tags: z.array(z.string().max(200)).max(50).optional(),
})
const sharing = z.object({
  id: z.string().min(1).max(200).optional().describe('A snippet to publish: its id or @name.'),
  content: content.optional(),
  tool: tool.optional(),
  title,
  key,
  expires_in: z
    .int()
    .min(1)
    .optional()
    .describe('Seconds until the link ends; as long as the plan allows by default.'),
  max_views: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('How often the link may be opened; then its content is deleted.'),
  burn: z.boolean().optional().describe('Short for max_views 1.'),
})

const savedOutput = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  tool: z.string(),
  title: z.string(),
  size_bytes: z.int(),
  pointer: z.string().optional().describe('Where the text is, if a key was given.'),
})
const sharedOutput = z.looseObject({
  id: z.string(),
  share_url: z.string().describe('The link that anyone can open.'),
  title: z.string(),
  size_bytes: z.int(),
  expires_at: z.string().nullable(),
})
/** Of tools that write for the user alone. */
export const writing = { readOnlyHint: false, openWorldHint: false }
const deletedOutput = z.looseObject({ id: z.string(), deleted: z.literal(true) })

/** The pointer to text sent under a key. */
const pointerOf = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

async function saveOutput(
  client: Snipkeep,
  { name, key, ...rest }: z.infer<typeof saving>,
): Promise<CallToolResult> {
  const problem = contentProblem(rest.content)
  if (problem !== null) return errorResult(problem)
  const output = { ...rest, ...(key === undefined ? {} : { key }) }
  const saved =
    name === undefined
      ? await client.snippets.create(output)
      : await client.snippets.put(`@${name.replace(/^@/, '')}`, output)
  const result = structuredResult({ ...saved, ...(key === undefined ? {} : { pointer: pointerOf(key) }) })
  return { ...result, content: [...result.content, resourceLink('snippets', saved.id)] }
}

async function shareOutput(
  client: Snipkeep,
  args: z.infer<typeof sharing>,
  allowSecrets: boolean,
): Promise<CallToolResult> {
  const { id, content: text, tool: made, key } = args
  const wanted = { expiresIn: args.expires_in, maxViews: args.max_views, burn: args.burn, allowSecrets }
  if ((id === undefined) === (text === undefined)) return errorResult('Send either id or content.')
  if (text !== undefined) {
    if (made === undefined) return errorResult('tool is required with content.')
    const problem = contentProblem(text)
    if (problem !== null) return errorResult(problem)
    const holding = key === undefined ? { content: text } : { content: text, key }
    const { title } = args
    return shareResult(await client.shares.create({ tool: made, title, ...wanted, ...holding }))
  }
  const reference = parseReference(id ?? '')
  const snippet = await client.snippets.get(reference.id, { includeData: false })
  const { raw } = await openRaw(client, { kind: 'snippets', id: reference.id })
  const title = args.title ?? snippet.title
  const { tool } = snippet
  return shareResult(await client.shares.create({ tool, title, ...wanted, json: raw.body }))
}

function shareResult(share: { readonly id: string }): CallToolResult {
  const result = structuredResult({ ...share })
  return { ...result, content: [...result.content, resourceLink('shares', share.id)] }
}

function registerSaveOutput(server: McpServer, client: Snipkeep): void {
  server.registerTool(
    'save_output',
    {
      title: 'Save an output',
      description:
        'Saves text privately and returns its id. With a name, creates or replaces the snippet of that name, which @name then refers to.',
      inputSchema: saving,
      outputSchema: savedOutput,
      annotations: { ...writing, destructiveHint: true, idempotentHint: false },
    },
    (args) => resultOf(() => saveOutput(client, args)),
  )
}

function registerShareOutput(server: McpServer, client: Snipkeep): void {
  server.registerTool(
    'share_output',
    {
      title: 'Publish an output',
      description:
        'Publishes a saved snippet (id or @name), or text, under a link that anyone can open, and returns the URL. Ask the user before you publish anything private.',
      inputSchema: sharing,
      outputSchema: sharedOutput,
      annotations: { ...writing, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    (args, context) => askAboutSecrets(server, context, (allow) => shareOutput(client, args, allow)),
  )
}

function registerDeletes(server: McpServer, client: Snipkeep): void {
  const deleting = { ...writing, destructiveHint: true, idempotentHint: true }
  server.registerTool(
    'delete_output',
    {
      title: 'Delete a saved output',
      description: 'Deletes one of your snippets for good.',
      inputSchema: z.object({ id: z.string().min(1).max(200).describe('Snippet id or @name.') }),
      outputSchema: deletedOutput,
      annotations: deleting,
    },
    ({ id }) =>
      resultOf(async () => structuredResult({ ...(await client.snippets.delete(parseReference(id).id)) })),
  )
  server.registerTool(
    'delete_share',
    {
      title: 'Withdraw a public link',
      description: 'Deletes one of your shares: its link stops working at once.',
      inputSchema: z.object({ id: z.string().min(1).max(2_000).describe('Share id or URL.') }),
      outputSchema: deletedOutput,
      annotations: deleting,
    },
    ({ id }) =>
      resultOf(async () => structuredResult({ ...(await client.shares.delete(parseReference(id).id)) })),
  )
}

/** The tools that save, publish and delete. */
export function registerWriteTools(server: McpServer, client: Snipkeep): void {
  registerSaveOutput(server, client)
  registerShareOutput(server, client)
  registerDeletes(server, client)
}
