import { z } from 'zod'
import { firstDate } from '#libs/core/field-rules.js'
import { isGatedShareId, isShareId } from '#shared/core/share-id.js'
import * as schemas from '../schemas.js'
import { allowSecretsText } from '../schemas.js'
import { itemsMax } from './archive-format.js'

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
  dry_run: schemas.toggle(false).describe('Checks the archive, and stores nothing.'),
  allow_secrets: allowSecretsText,
})

const id = z.string().regex(/^[0-9A-Za-z]{22}$/)
/** Databases know no year 0, and an offset can lead out of the years that a timestamp may have. */
const [earliestMs, latestMs] = [Date.parse(`${firstDate}T00:00:00Z`), Date.UTC(9999, 11, 31, 23, 59, 59, 999)]
const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((time) => time.getTime() >= earliestMs && time.getTime() <= latestMs)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const sizeBytes = z.int().min(0)
/** Changes count on from it, up to 2,147,483,647. */
const version = z.int().min(1).max(999_999_999)

/** The fields are checked by content, item by item; here only that nothing is longer than it may be. */
const tool = z.string().max(64)
/** 200 characters of up to two units. */
const title = z.string().max(400)
const fields = { tool, title, size_bytes: sizeBytes, sha256, created_at: moment }
const tags = z.array(z.string().max(100)).max(20)

/** A line of `snippets.ndjson`. */
export const archivedSnippet = z.object({
  ...{ id, ...fields, tags, version, updated_at: moment },
  name: z.string().max(100).nullable(),
  revisions: z.array(z.object({ ...fields, tags, version })).max(1_000),
})

/** A line of `contracts.ndjson`; `rules` is kept as text. */
export const archivedContract = z.object({ snippet_id: id })

/** A line of `checks.ndjson`. */
export const archivedCheck = z.object({ id, size_bytes: sizeBytes, sha256 })

/** A line of `shares.ndjson`. */
export const archivedShare = z
  .object({
    ...{ id: z.string().max(24).refine(isShareId), ...fields, expires_at: moment.nullable() },
    /** Whether the archive has its data. */
    available: z.boolean(),
    gated: z.object({ password: z.boolean(), views_left: z.int().nullable() }).optional(),
  })
  // What had a gate must not become public because its line was cut.
  .refine((share) => isGatedShareId(share.id) === (share.gated !== undefined), { path: ['gated'] })

/** A line of `history.ndjson`; `metadata` is kept as text. */
export const archivedEntry = z.object({
  id,
  tool,
  action: z.string().max(128).nullable(),
  title: title.nullable(),
  created_at: moment,
})

/** What is needed of `account.json`. */
export const archivedAccount = z.object({ format: z.string().max(64), version: z.int() })

/** What is needed of `manifest.json`; its elements are checked one by one, so that the first bad one ends the check. */
export const archivedManifest = z.object({
  files: z.array(z.unknown()).max(itemsMax),
  gone: z.array(z.unknown()).max(itemsMax),
})

const path = z.string().max(100)

/** An element of `files`. */
export const archivedFile = z.object({ path, size_bytes: sizeBytes, sha256 })

/** An element of `gone`. */
export const archivedGone = path
