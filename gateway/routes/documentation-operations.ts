import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Operation } from './operation.js'

function sendCacheable(response: ServerResponse, mediaType: string, body: Buffer, etag: string): void {
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'public, max-age=300')
  if (response.req.headers['if-none-match'] === etag) {
    response.writeHead(304)
    response.end()
    return
  }
  response.writeHead(200, { 'Content-Type': mediaType, 'Content-Length': body.length })
  response.end(body)
}

function strongTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** What the documentation is served from; both are made once, after all operations are known. */
export interface Documentation {
  /** The OpenAPI document as JSON. */
  document(): Buffer
  /** The page for people, and the hash of its style for the Content-Security-Policy. */
  page(): { readonly html: Buffer; readonly styleHash: string }
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
      summary: 'This interface as an OpenAPI 3.1 document',
      answers: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
      refusals: [],
      async handle({ response }) {
        const body = documentation.document()
        sendCacheable(response, 'application/json; charset=utf-8', body, strongTag(body))
      },
    },
    {
      method: 'get',
      path: '/api/docs',
      operationId: 'getDocumentation',
      group: 'Documentation',
      access: 'public',
      summary: 'This interface as a page for people',
      answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
      refusals: [],
      async handle({ response }) {
        const { html, styleHash } = documentation.page()
        response.setHeader(
          'Content-Security-Policy',
          `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        )
        sendCacheable(response, 'text/html; charset=utf-8', html, strongTag(html))
      },
    },
  ]
}
