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
import { errorResult, resultOf } from './results.js'

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
export async function askAboutSecrets(
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
