import { z } from 'zod'
import { cursor, data, limit, nextCursor, sizeBytes, timestamp } from '../schemas.js'

export const revisionListQuery = z.object({ limit, cursor })

/** The body of a restore. */
export const restored = z.strictObject({
  version: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(2_147_483_647, 'must be a version of the list')
    .meta({ description: 'The version to restore.', example: 3 }),
})

/** Who did something; null if that was not recorded. */
export const principal = z
  .object({
    kind: z.enum(['owner', 'api_key', 'ci_job']),
    id: z.string().nullable().describe('The id of the API key or trusted publisher; null for the owner.'),
    label: z.string().nullable().describe('Its name at that time; null if unknown.'),
    check_id: z
      .string()
      .optional()
      .describe('Of a version: the check that it was, which has the sender and the job; absent for others.'),
  })
  .nullable()

const fields = {
  version: z.int().describe('Grows with every change; versions that are not kept are left out.'),
  current: z.boolean().describe('Whether the snippet is this version now.'),
  tool: z.string(),
  title: z.string(),
}
const more = {
  tags: z.array(z.string()),
  size_bytes: sizeBytes,
  created_at: timestamp,
  principal: principal.describe('Who made this version; null if that was not recorded.'),
}

/** A version without `data`. */
export const revisionSummary = z.object({ ...fields, ...more }).meta({ id: 'RevisionSummary' })

/** A version, with or without `data`. */
export const revision = z
  .object({
    ...fields,
    data: data.optional().describe('Absent with `include_data=false`.'),
    ...more,
  })
  .meta({ id: 'Revision' })

export const revisionPage = z
  .object({ revisions: z.array(revisionSummary), next_cursor: nextCursor })
  .meta({ id: 'RevisionPage' })
