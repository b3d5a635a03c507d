import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { acceptedCoding, type Encoded, encode, encodedOnce } from '#libs/runtime/content-coding.js'
import { sendNotModified } from '../../http/conditional-read.js'
import type { Operation } from '../../http/operation.js'
import type { PublicHandler, RequestContext } from '../../request/request-context.js'
import { notModified, readConditions } from '../shared-descriptions.js'

function tagOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}

/** All are created once, after all operations are known. */
export interface Documentation {
  /** The OpenAPI document as JSON. */
  readonly document: () => string
  /** The same on one page of Markdown. */
  readonly summary: () => string
  /** The HTML page with this nonce. */
  readonly page: (nonce: string) => string
  /** Whether search engines may index the page. */
  readonly isIndexed: boolean
}

/**
 * Only the script with the nonce runs, and it creates no markup from text. It connects to nothing itself: Lighthouse
 * fetches `robots.txt` as the page.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'; img-src data:; connect-src 'self'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ')
}

/** Headers that a copy keeps. */
const kept = ['Content-Security-Policy', 'Content-Type', 'X-Robots-Tag']

/** Sends a body, unless the caller has a current copy, whose tag is that of its coding. */
async function sendTagged(context: RequestContext, etag: string, body: Encoded): Promise<void> {
  const { request, response } = context
  const coding = acceptedCoding(request.headers['accept-encoding'])
  response.appendHeader('Vary', 'Accept-Encoding')
  const tag = coding === null ? etag : `${etag}-${coding}`
  if (sendNotModified(context, { etag: tag }, kept)) return
  const bytes = await body(coding)
  if (coding !== null) response.setHeader('Content-Encoding', coding)
  response.writeHead(200, { 'Content-Length': bytes.length })
  response.end(bytes)
}

const headers = { ETag: 'Changes with every change.' }

/** Serves a text that is the same for everyone. */
function textHandler(make: () => string, contentType: string): PublicHandler {
  let tag: string | undefined
  const bytes = encodedOnce(() => Buffer.from(make()))
  return async (context) => {
    tag ??= tagOf(make())
    context.response.setHeader('Content-Type', contentType)
    context.response.setHeader('Cache-Control', 'public, max-age=300')
    await sendTagged(context, tag, bytes)
  }
}

function pageHandler({ page: make, isIndexed }: Documentation): PublicHandler {
  let tag: string | undefined
  return async (context) => {
    tag ??= tagOf(make(''))
    const { response } = context
    const nonce = randomBytes(16).toString('base64')
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    // Not public: users of a shared copy would share its nonce.
    response.setHeader('Cache-Control', 'private, max-age=300')
    response.setHeader('Content-Security-Policy', pagePolicy(nonce))
    const page = Buffer.from(make(nonce))
    await sendTagged(context, tag, async (coding) => {
      if (isIndexed) response.removeHeader('X-Robots-Tag')
      return coding === null ? page : encode(page, coding, 'once')
    })
  }
}

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
      description: 'Generated from the same schemas that check requests.',
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The document.', schema: z.record(z.string(), z.unknown()), headers },
        ...notModified,
      },
      refusals: [412],
      handle: textHandler(documentation.document, 'application/json; charset=utf-8'),
    },
    {
      method: 'get',
      path: '/api/docs',
      anyParameter: true,
      operationId: 'getDocumentation',
      group: 'Documentation',
      access: 'public',
      summary: 'Read this API as a web page',
      description:
        'The OpenAPI document for people, with an example of each operation. Complete without scripts.',
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The page.', content: { 'text/html': null }, headers },
        ...notModified,
      },
      refusals: [412],
      handle: pageHandler(documentation),
    },
    {
      method: 'get',
      path: '/llms.txt',
      anyParameter: true,
      operationId: 'getApiSummary',
      group: 'Documentation',
      access: 'public',
      anyOrigin: true,
      summary: 'Get this API on one page of Markdown',
      description: 'For language models (llmstxt.org): one line for each operation.',
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The page.', content: { 'text/plain': z.string() }, headers },
        ...notModified,
      },
      refusals: [412],
      handle: textHandler(documentation.summary, 'text/plain; charset=utf-8'),
    },
  ]
}
