import { z } from 'zod'
import type { Event } from '#proto/snipkeep/identity/v1/event_service.js'
import { cursor, limit, nextCursor, timestamp } from '../schemas.js'

export const eventListQuery = z.object({
  type: z
    .string()
    .regex(
      /^[a-z][a-z_]{0,31}(\.[a-z][a-z_]{0,31})?$/,
      'must be a type such as key.rotated, or a group such as key',
    )
    .optional()
    .meta({ description: 'Only events of this type, or of this group of types.', example: 'key' }),
  subject: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id')
    .optional()
    .describe('Only events about what has this id, such as an API key.'),
  limit,
  cursor,
})

const event = z
  .object({
    id: z.string(),
    type: z.string().meta({
      description: 'A subject and a verb, such as `share.viewed`. New types may be added.',
      example: 'key.rotated',
    }),
    created_at: timestamp,
    principal: z
      .object({
        kind: z.enum(['owner', 'api_key', 'key_holder', 'ci_job', 'anyone', 'operator', 'system']),
        id: z
          .string()
          .nullable()
          .describe('The id of the API key or trusted publisher; null for everyone else.'),
      })
      .describe(
        'Who caused the event. `key_holder` is someone who sent only the key itself; `anyone` is someone who opened a share link.',
      ),
    subject: z
      .object({ kind: z.string(), id: z.string() })
      .describe('What the event is about: `api_key`, `trusted_publisher`, `share`, `snippet` or `account`.'),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('More about it, by type; no secrets.'),
  })
  .meta({ id: 'Event' })

/** A page of events. */
export const eventPage = z
  .object({ events: z.array(event), next_cursor: nextCursor })
  .meta({ id: 'EventPage' })

export function eventResponse(event: Event): Record<string, unknown> {
  const { id, type, createdAt, principalKind, principalId, subjectKind, subjectId, detail } = event
  if (createdAt === undefined) throw new Error('identity returned an event without a time')
  return {
    id,
    type,
    created_at: createdAt.toISOString(),
    principal: { kind: principalKind, id: principalId ?? null },
    subject: { kind: subjectKind, id: subjectId },
    detail: JSON.parse(detail),
  }
}
