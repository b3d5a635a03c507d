import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { rawMediaTypes } from '../../body/raw-body.js'
import type { Operation, ResponseDescription } from '../../http/operation.js'
import { policyTable } from '../../rate-limits/policies.js'
import { problem } from '../schemas.js'
import { tagsOf } from './tags.js'

type Json = Record<string, unknown>

/** The error statuses of every operation, and those of operations with credentials. */
const everywhere = [500]
const withCredentials = [401, 403, 503, 504]
const limited = [429]

/** Removes noise that zod adds: bounds of safe integers, and the pattern of a well-known format. */
function simplify(schema: Json, io: 'input' | 'output'): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date-time') delete schema.pattern
  // Responses may gain fields, so clients must accept unknown ones.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
}

/** Moves schemas with an id to the components, and replaces them by references. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $schema: _dialect,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: built }) => simplify(built as Json, io),
  }) as Json & { $schema?: string; $defs?: Json }
  const refer = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
  for (const [id, definition] of Object.entries($defs ?? {})) {
    const { id: _id, ...described } = refer(definition)
    components[id] = described
  }
  return refer(rest)
}

function parameters(operation: Operation, components: Json): Json[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const shape = { ...operation.query?.shape, ...operation.rawQuery?.shape }
  const inQuery = Object.entries(shape).map(([name, schema]) => {
    const { description, ...rest } = jsonSchema(schema as z.ZodType, 'input', components)
    return {
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
  const inHeader = Object.entries(operation.requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...inHeader]
}

/** The bodies of a raw upload. */
const rawContent: Json = Object.fromEntries(
  rawMediaTypes.map((type) => {
    const isData = type.endsWith('+json')
    const description = isData ? 'The value of `data`.' : 'Text in UTF-8; becomes the member `key` of `data`.'
    return [type, { schema: { type: isData ? 'object' : 'string', description } }]
  }),
)

function requestBody(operation: Operation, components: Json): Json {
  const { body, form } = operation
  const asForm =
    form === undefined
      ? {}
      : { 'application/x-www-form-urlencoded': { schema: jsonSchema(form, 'input', components) } }
  if (body === undefined)
    return form === undefined ? {} : { requestBody: { required: true, content: asForm } }
  const schema = jsonSchema(body.fields, 'input', components) as Json & {
    properties: Json
    required?: string[]
  }
  if (body.withData !== 'none') {
    schema.properties = {
      ...schema.properties,
      data: {
        type: 'object',
        description: 'Any JSON object, nested at most 512 levels deep; stored and returned byte for byte.',
      },
    }
    if (body.withData === 'required') schema.required = [...(schema.required ?? []), 'data']
  }
  const raw = operation.rawQuery === undefined ? {} : rawContent
  const content = { 'application/json': { schema }, ...raw, ...asForm }
  return { requestBody: { required: true, content } }
}

function responseObject(description: ResponseDescription, components: Json): Json {
  const { schema, headers } = description
  const types = { ...(schema === undefined ? {} : { 'application/json': schema }), ...description.content }
  const content = Object.entries(types).map(([mediaType, one]) => [
    mediaType,
    one === null ? {} : { schema: jsonSchema(one, 'output', components) },
  ])
  return {
    description: description.description,
    ...(headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, text]) => [
              name,
              { description: text, schema: { type: 'string' } },
            ]),
          ),
        }),
    ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
  }
}

function responses(operation: Operation, components: Json): Json {
  const statuses = new Set([
    ...operation.refusals,
    ...everywhere,
    ...(operation.anyParameter === true ? [] : [400]),
    ...(operation.access === 'public' ? [] : withCredentials),
    ...(operation.rate === 'never' ? [] : limited),
    // For everyone else it does not exist.
    ...(operation.access === 'operator' ? [404] : []),
  ])
  const refusals = [...statuses].sort().map((status) => [
    String(status),
    {
      description: STATUS_CODES[status] ?? 'Refused',
      content: { 'application/problem+json': { schema: jsonSchema(problem, 'output', components) } },
    },
  ])
  const described = Object.entries(operation.responses).map(([status, description]) => [
    status,
    responseObject(description, components),
  ])
  return Object.fromEntries([...refusals, ...described])
}

const introduction = `Save the output of your formatting tools, fetch it from anywhere, and share it by a link.

Rate limits apply over a sliding window. These are the defaults; this installation may differ:

${policyTable()}

Every response carries the remaining quota in \`RateLimit\` and \`X-RateLimit-*\`; a 429 also carries \`Retry-After\`. A 304 for an exact ETag counts as a tenth of a request; \`If-None-Match: *\` counts as a full one. IPv6 clients are counted by /64; a /48 gets ten times that limit.

Parameters of the query and fields of the body that an operation does not know get 400 \`unknown_parameter\` and \`unknown_field\`, and \`errors\` names each.

A suspended account gets 403 \`account_suspended\` with any credentials, and a closed one 403 \`account_closing\` until it is restored or erased. If an account has not signed in for a long time, its API keys and trusted publishers get 403 \`identity_token_required\` until it signs in again.

A \`pointer\` into a document larger than 64 KiB searches the whole document and also counts against a byte budget; when that is used up, the 429 names the policy \`pointer\`. Comparisons of more than 64 KiB draw on the same budget. A client IP or account may read at most 8 large documents at once; more get 429. Clients that read a large response at less than 64 KB/s on average are disconnected.`

/** Any of these credentials is sufficient. */
function securityOf({ access }: Operation): readonly Json[] {
  switch (access) {
    case 'public':
      return []
    case 'account':
      return [{ identityToken: [] }, { apiKey: [] }, { accessToken: [] }]
    case 'identity-token':
    case 'operator':
      return [{ identityToken: [] }]
    default:
      return access satisfies never
  }
}

/** The OpenAPI 3.1 document, generated from the same schemas that validate requests. */
export function openApiDocument(operations: readonly Operation[], publicBaseUrl: string): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    const item = paths[operation.path] as Json
    item[operation.method] = {
      operationId: operation.operationId,
      tags: [operation.group],
      summary: operation.summary,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      security: securityOf(operation),
      parameters: parameters(operation, components),
      ...requestBody(operation, components),
      responses: responses(operation, components),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Snipkeep',
      version: '1',
      description: introduction,
      contact: { name: 'The operator of this installation', url: publicBaseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicBaseUrl }],
    tags: tagsOf(operations.map(({ group }) => group)),
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        identityToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An ID token from a configured OpenID Connect issuer.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'An API key of a Pro account, created with an identity token.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token (`snx_…`) that a CI job was given for its own token. X-API-Key works, too.',
        },
      },
    },
  }
}
