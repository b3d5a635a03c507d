import type { Operation } from '../../http/operation.js'
import type { RouteParts } from '../feature-dependencies.js'
import * as schemas from '../schemas.js'
import { shareHandlers } from './share-handlers.js'

const etag = { ETag: 'Strong.' }
const ifNoneMatch = { 'If-None-Match': 'ETags that the caller holds; 304 when one is current.' }

/** The operations on shares. */
export function shareOperations(parts: RouteParts): readonly Operation[] {
  const handlers = shareHandlers(parts)
  const group = 'Shares'
  const one = '/api/shares/{id}'
  return [
    {
      method: 'post',
      path: '/api/shares',
      operationId: 'createShare',
      rate: 'creates',
      group,
      access: 'account',
      summary: 'Publish data behind a link that anyone can open',
      description: 'A share never changes. Without an expiry of its own it gets that of the plan.',
      requestHeaders: { 'Idempotency-Key': 'Makes the request safe to repeat for 24 hours.' },
      body: { fields: schemas.newShare, withData: 'required' },
      answers: {
        201: {
          description: 'The share without `data`.',
          schema: schemas.shareSummary,
          headers: {
            ...etag,
            Location: 'Address of the share.',
            'Idempotent-Replayed': '`true` when this is an earlier answer again.',
          },
        },
      },
      refusals: [400, 403, 409, 413, 415],
      handle: handlers.create,
    },
    {
      method: 'get',
      path: '/api/shares',
      operationId: 'listShares',
      group,
      access: 'account',
      summary: 'List your shares, newest first, without data',
      query: schemas.shareListQuery,
      answers: {
        200: {
          description: 'A page.',
          schema: schemas.sharePage,
          headers: { Link: '`rel="next"` while there is more.' },
        },
      },
      refusals: [400],
      handle: handlers.list,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getShare',
      group,
      access: 'public',
      anyOrigin: true,
      summary: 'Open a share',
      requestHeaders: ifNoneMatch,
      answers: {
        200: { description: 'The share.', schema: schemas.share, headers: etag },
        304: { description: 'Not changed.' },
      },
      refusals: [404, 410, 503, 504],
      handle: handlers.get,
    },
    {
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getShareRaw',
      group,
      access: 'public',
      anyOrigin: true,
      summary: 'Open the bytes of `data`, or of one value in it',
      query: schemas.rawQuery,
      requestHeaders: ifNoneMatch,
      answers: {
        200: {
          description:
            '`data` as it was sent; with `pointer` that value alone, a string decoded to text/plain.',
          headers: etag,
        },
        304: { description: 'Not changed.' },
      },
      refusals: [400, 404, 410, 503, 504],
      handle: handlers.raw,
    },
    {
      method: 'delete',
      path: one,
      operationId: 'deleteShare',
      group,
      access: 'account',
      summary: 'Withdraw a share',
      description: 'Afterwards its link is unknown (404), not expired (410).',
      requestHeaders: { 'If-Match': 'ETags of which one must be current, else 412.' },
      answers: { 200: { description: 'It is gone.', schema: schemas.deleted } },
      refusals: [400, 403, 404, 412],
      handle: handlers.delete,
    },
  ]
}
