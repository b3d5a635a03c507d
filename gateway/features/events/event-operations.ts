import { createHash } from 'node:crypto'
import { callUnary } from '#libs/grpc/call.js'
import { parseQuery } from '../../body/parse-fields.js'
import { sendNotModified } from '../../http/conditional-read.js'
import type { Operation } from '../../http/operation.js'
import { sendJsonText } from '../../http/responses.js'
import { nextPageLink } from '../../http/send-page.js'
import { type Caller, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { nextPage, notModified, readConditions } from '../shared-descriptions.js'
import * as schemas from './event-schemas.js'
import { eventResponse } from './event-schemas.js'

const path = '/api/events'

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

export function eventOperations({
  upstreams,
  publicBaseUrl,
}: Pick<FeatureDependencies, 'publicBaseUrl' | 'upstreams'>): readonly Operation[] {
  const { events: client } = upstreams

  async function list(context: RequestContext, { accountId }: Caller): Promise<void> {
    const { type = '', subject = '', limit, cursor = '' } = parseQuery(schemas.eventListQuery, context.search)
    const request = { accountId, type, subject, pageSize: limit, cursor }
    const { events, nextCursor } = await callUnary(client, client.listEvents, request, shortCall(context))
    const next = nextCursor === '' ? null : nextCursor
    const text = JSON.stringify({ events: events.map(eventResponse), next_cursor: next })
    if (sendNotModified(context, { etag: tagOf(text) })) return
    sendJsonText(context.response, 200, text, nextPageLink(context, `${publicBaseUrl}${path}`, next))
  }

  return [
    {
      method: 'get',
      path,
      operationId: 'listEvents',
      group: 'Account',
      access: 'account',
      summary: 'List what happened in your account, newest first',
      description:
        'Covers API keys (created, used, rotated, revoked, about to expire), trusted publishers (created, changed, deleted, first use, job refused), shares (created, viewed, expired, disabled or enabled by an operator), restored snippet versions, exports and imports, plan limits that are 80 % used, plan changes, plans given by an operator, and suspensions. To poll, send `If-None-Match`: a 304 counts as a tenth of a request.',
      query: schemas.eventListQuery,
      requestHeaders: readConditions,
      responses: {
        200: {
          description: 'One page of results.',
          schema: schemas.eventPage,
          headers: { ETag: 'Version of this page.', ...nextPage },
        },
        ...notModified,
      },
      refusals: [400, 412],
      handle: list,
    },
  ]
}
