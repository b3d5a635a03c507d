import { expect } from 'vitest'
import { z } from 'zod'
import type { ApiClient, ApiResponse } from './api-client.js'
import type { DescribedOperation, JsonSchema } from './request-cases.js'

/** The parts of the OpenAPI document that responses are compared with. */
export interface ApiDocument {
  readonly paths: Record<string, Record<string, DescribedOperation>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** Compares responses with the OpenAPI document. */
export interface DescribedResponses {
  readonly document: ApiDocument
  /** Fails unless the operation may respond so; `context` is part of what it then says. */
  check(operation: DescribedOperation | undefined, response: ApiResponse, context: string): void
}

/** The headers that the document names where they are sent; others are sent by every operation. */
const ownHeaders = [
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'X-Total-Rows',
  'Idempotent-Replayed',
]

/** A 304 has the headers of the 200 that it confirms. */
function declaredHeaders({ responses }: DescribedOperation, status: number): readonly string[] {
  return Object.keys(responses[String(status === 304 ? 200 : status)]?.headers ?? {})
}

/** Reads the document. */
export async function describedResponses(client: ApiClient): Promise<DescribedResponses> {
  const document = (await client.get('/api/openapi.json')).json<ApiDocument>()
  const schemas = new Map<object, z.ZodType>()

  const schemaOf = (described: object): z.ZodType => {
    const known = schemas.get(described)
    if (known !== undefined) return known
    const definitions = { ...described, $defs: document.components.schemas }
    const text = JSON.stringify(definitions).replaceAll('#/components/schemas/', '#/$defs/')
    const schema = z.fromJSONSchema(JSON.parse(text))
    schemas.set(described, schema)
    return schema
  }

  return {
    document,
    check(operation, { status, headers, text, json }, context) {
      if (operation === undefined) throw new Error(`${context} is no operation of the document`)
      const described = operation.responses[String(status)]
      expect(described, `${context} has an undeclared status`).toBeDefined()
      const sent = ownHeaders.filter((name) => headers.has(name))
      expect(declaredHeaders(operation, status), context).toEqual(expect.arrayContaining(sent))
      if (text === '' && headers.get('content-type') === null) return
      const [type = ''] = (headers.get('content-type') ?? '').split(';')
      const { content = {} } = described ?? {}
      expect(Object.keys(content), `${context} has an undeclared media type`).toContain(type)
      const schema = content[type]?.schema
      if (schema === undefined || !/[/+]json$/.test(type)) return
      expect(schemaOf(schema).safeParse(json()).error, context).toBeUndefined()
    },
  }
}
