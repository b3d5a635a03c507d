import { z } from 'zod'
import { DomainError } from '#libs/core/domain-error.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { packageVersion } from '#libs/runtime/package-version.js'
import { notJson } from '../../body/body-errors.js'
import { defaultBodyTimeLimits, isJson } from '../../body/read-body.js'
import { receiveBytes } from '../../body/receive-bytes.js'
import type { Operation } from '../../http/operation.js'
import { readCredentials } from '../../pipeline/authenticate.js'
import type { RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { problem } from '../schemas.js'
import { createInProcessFetch } from './in-process-fetch.js'

/** Larger inputs are files, which are a job for the command line. */
const bodyBytesMax = 262_144
/** The memory for messages, in total and for one client IP. */
const bytesInFlight = { bytesMax: 32 * 1_048_576, holderBytesMax: 8 * 1_048_576 }
/** Clients of revision 2025-03-26 may send batches. */
const batchMax = 10

function tooLarge(): DomainError {
  const message = `MCP messages are limited to ${bodyBytesMax} bytes. Save larger content with the command line: snipkeep save FILE`
  return new DomainError('too-large', 'data_too_large', message, { limit: bodyBytesMax })
}

function malformed(): DomainError {
  return new DomainError('invalid', 'malformed_json', 'The body must be a JSON-RPC message in UTF-8.')
}

function originNotAllowed(): DomainError {
  const message =
    'Pages of this origin may not call the MCP server. The operator can allow it with CORS_ORIGINS.'
  return new DomainError('forbidden', 'origin_not_allowed', message)
}

function parseMessage(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw malformed()
  }
}

/** The credential of a request, in the header that the REST API requires. */
function credentialOf({ request }: RequestContext): Readonly<Record<string, string>> {
  const found = readCredentials(request.rawHeaders, true)
  if (found.kind === 'api-key') return { 'X-API-Key': found.key }
  return found.kind === 'none' ? {} : { Authorization: `Bearer ${found.token}` }
}

const takesJson = /(?:^|,)\s*(?:\*|application)\/(?:\*|json)\s*(?:[;,]|$)/i
const takesEvents = /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i

/** What a client accepts; the protocol demands JSON and events, but many send just one, a wildcard, or nothing. */
function acceptOf({ request }: RequestContext): { readonly header: string; readonly json: boolean } {
  const { accept = '*/*' } = request.headers
  const json = takesJson.test(accept) && !takesEvents.test(accept)
  return { header: json ? `${accept}, application/json, text/event-stream` : accept, json }
}

/** The one message, or the batch, in a stream of events. */
function messageOf(events: string): string {
  const messages = [...events.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data)
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(',')}]`
}

/** The headers of the protocol. */
const protocolHeaders = /^(accept|content-type|mcp-.*|last-event-id)$/

function webRequest({ request, signal }: RequestContext, url: string, accept: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (protocolHeaders.test(name) && typeof value === 'string') headers.set(name, value)
  headers.set('accept', accept)
  return new Request(url, { method: 'POST', headers, signal })
}

/** Stateless Model Context Protocol. Its tools call the REST API within this process, with the caller's credential. */
export function mcpOperation(
  dependencies: Pick<FeatureDependencies, 'connect' | 'corsOrigins' | 'publicBaseUrl' | 'tools'>,
): Operation {
  const { publicBaseUrl, corsOrigins, connect, tools } = dependencies
  const budget = createByteBudget(bytesInFlight)
  const version = packageVersion()
  const allowedOrigins = new Set([new URL(publicBaseUrl).origin, ...corsOrigins])

  const receive = async (context: RequestContext): Promise<unknown> => {
    const { origin } = context.request.headers
    if (origin !== undefined && !allowedOrigins.has(origin)) throw originNotAllowed()
    if (!isJson(context.request)) throw notJson(context.request)
    const held = await receiveBytes(context, {
      limits: defaultBodyTimeLimits,
      budget,
      bytesMax: bodyBytesMax,
      tooLarge,
      busy: 'Too many MCP messages at once. Try again shortly.',
    })
    try {
      return parseMessage(held.bytes())
    } finally {
      held.release()
    }
  }

  const handle = async (context: RequestContext): Promise<void> => {
    const message = await receive(context)
    if (Array.isArray(message) && message.length > batchMax) throw malformed()
    const { response, requestId } = context
    const headers = { ...credentialOf(context), 'X-Request-Id': requestId }
    // Loaded with the first message, because most gateways never get one.
    const { serveMcpMessage } = await import('./serve-mcp-message.js')
    const options = {
      server: publicBaseUrl,
      auth: { headers: async () => headers },
      retries: 0,
      fetch: createInProcessFetch(connect, context.clientAddress),
      userAgent: 'snipkeep-mcp',
    }
    const accept = acceptOf(context)
    const reply = await serveMcpMessage(
      webRequest(context, `${publicBaseUrl}/mcp`, accept.header),
      message,
      options,
      version,
      tools,
    )
    const type = reply.headers.get('Content-Type') ?? 'application/json'
    const isUnwrapped = accept.json && type.startsWith('text/event-stream')
    const body = isUnwrapped
      ? Buffer.from(messageOf(await reply.text()))
      : Buffer.from(await reply.arrayBuffer())
    response.writeHead(reply.status, {
      'Content-Type': isUnwrapped ? 'application/json' : type,
      'Content-Length': body.length,
    })
    response.end(body)
  }

  return {
    method: 'post',
    path: '/mcp',
    operationId: 'callMcp',
    group: 'Assistants',
    access: 'account',
    keyAsBearer: true,
    anyScope: true,
    summary: 'Call the MCP server',
    description:
      'Model Context Protocol over Streamable HTTP, revision 2026-07-28 and stateless 2025 revisions. Send a JSON-RPC message. Here you may also send an API key as `Authorization: Bearer`. Every tool calls this API with your credentials, so the same scopes, limits and error codes apply.',
    curl: [
      "-H 'Accept: application/json, text/event-stream'",
      `--json '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    ],
    responses: {
      200: {
        description:
          'A JSON-RPC response, or a stream of events with one if `Accept` names `text/event-stream`.',
        schema: z.unknown(),
        content: { 'text/event-stream': null },
      },
      202: { description: 'A notification was accepted.' },
      400: {
        description: 'Bad Request; as a JSON-RPC error if the body is JSON.',
        schema: z.unknown(),
        content: { 'application/problem+json': problem },
      },
    },
    refusals: [400, 403, 408, 413, 415, 503],
    handle,
  }
}
