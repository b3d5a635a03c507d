import { z } from 'zod'
import { isGatedShareId, isShareId } from '#shared/core/share-id.js'
import { allowSecretsText } from '../allow-secrets.js'
import * as schemas from '../schemas.js'

const time = z.iso.datetime({
  offset: true,
  error: 'must be an RFC 3339 timestamp such as 2030-01-31T12:00:00Z',
})

export const exportQuery = z.object({
  since: time.optional().meta({
    description:
      'Leaves out snippets that have not changed since, and shares, history and events from before.',
    example: '2026-11-01T00:00:00Z',
  }),
})

export const importQuery = z.object({
  dry_run: schemas.toggle(false).meta({ description: 'Checks the archive, and stores nothing.' }),
  allow_secrets: allowSecretsText,
})

const id = z.string().regex(/^[0-9A-Za-z]{22}$/)
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const sizeBytes = z.int().min(0)
const version = z.int().min(1).max(2_147_483_647)

/** The fields are checked by content, item by item. */
const fields = { tool: z.string(), title: z.string(), size_bytes: sizeBytes, sha256, created_at: moment }
const tags = z.array(z.string()).max(100)

/** A line of `snippets.ndjson`. */
export const archivedSnippet = z.object({
  ...{ id, ...fields, tags, version, updated_at: moment },
  name: z.string().nullable(),
  revisions: z.array(z.object({ ...fields, tags, version })).max(10_000),
})

/** A line of `shares.ndjson`. */
export const archivedShare = z
  .object({
    ...{ id: z.string().refine(isShareId), ...fields, expires_at: moment.nullable() },
    /** Whether the archive has its data. */
    available: z.boolean(),
    gated: z.object({ password: z.boolean(), views_left: z.int().nullable() }).optional(),
  })
  // What had a gate must not become public because its line was cut.
  .refine((share) => isGatedShareId(share.id) === (share.gated !== undefined), { path: ['gated'] })

/** A line of `history.ndjson`; `metadata` is kept as text. */
export const archivedEntry = z.object({
  id,
  tool: z.string(),
  action: z.string().nullable(),
  title: z.string().nullable(),
  created_at: moment,
})

/** What is needed of `account.json`. */
export const archivedAccount = z.object({ format: z.string(), version: z.int() })

/** What is needed of `manifest.json`. */
export const archivedManifest = z.object({
  files: z.array(z.object({ path: z.string(), size_bytes: sizeBytes, sha256 })),
  gone: z.array(z.string()),
})
