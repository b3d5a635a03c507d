import { createHash } from 'node:crypto'
import { z } from 'zod'
import { noneMatchHolds, quoteTag } from '../../http/entity-tag.js'
import type { Operation } from '../../http/operation.js'
import type { RequestContext } from '../../http/request-context.js'

/** A body and its ETag. */
export interface TaggedBody {
  readonly body: Buffer
  readonly etag: string
}

/** The body with a tag that other bytes would not have. */
export function taggedBody(body: Buffer): TaggedBody {
  return { body, etag: createHash('sha256').update(body).digest('base64url').slice(0, 22) }
}

function sendCacheable(
  { request, response }: RequestContext,
  mediaType: string,
  { body, etag }: TaggedBody,
): void {
  response.setHeader('ETag', quoteTag(etag))
  response.setHeader('Cache-Control', 'public, max-age=300')
  if (noneMatchHolds(request.headers['if-none-match'], etag)) {
    response.writeHead(304)
    response.end()
    return
  }
  response.writeHead(200, { 'Content-Type': mediaType, 'Content-Length': body.length })
  response.end(body)
}

/** What the documentation is served from; both are made once, after all operations are known. */
export interface Documentation {
  /** The OpenAPI document as JSON. */
  document(): TaggedBody
  /** The page for people, and the hash of its style for the Content-Security-Policy. */
  page(): TaggedBody & { readonly styleHash: string }
}

/** The operations that describe all others. */
export function documentationOperations(documentation: Documentation): readonly Operation[] {
  return [
    {
      method: 'get',
      path: '/api/openapi.json',
      operationId: 'getOpenApi',
      group: 'Documentation',
      access: 'public',
      anyOrigin: true,
      summary: 'Get this API as an OpenAPI 3.1 document',
      answers: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
      refusals: [],
      async handle(context) {
        sendCacheable(context, 'application/json; charset=utf-8', documentation.document())
      },
    },
    {
      method: 'get',
      path: '/api/docs',
      operationId: 'getDocumentation',
      group: 'Documentation',
      access: 'public',
      summary: 'Read this API as a web page',
      answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
      refusals: [],
      async handle(context) {
        const page = documentation.page()
        context.response.setHeader(
          'Content-Security-Policy',
          `default-src 'none'; style-src '${page.styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        )
        sendCacheable(context, 'text/html; charset=utf-8', page)
      },
    },
  ]
}
