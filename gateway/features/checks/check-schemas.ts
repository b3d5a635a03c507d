import { z } from 'zod'
import { principal } from '../revisions/revision-schemas.js'
import {
  codePoints,
  cursor,
  limit,
  nextCursor,
  rawUpload,
  sizeBytes,
  timestamp,
  title,
  tool,
} from '../schemas.js'

/** The fields of a new check besides `data`. */
export const newCheck = z.strictObject({
  tool: tool.optional().meta({ description: "By default the snippet's.", example: 'csv-formatter' }),
  title: title.optional().describe("By default the snippet's."),
})

const sourceUrl = z
  .string()
  .max(2_000, 'must be at most 2000 characters')
  .refine(
    (text) => /^https?:\/\/[^\s\p{C}]+$/u.test(text) && URL.canParse(text),
    'must be an http or https URL',
  )

/** The query of a new check, whatever its body is. */
export const checkQuery = z.object({
  accept: z
    .enum(['same', 'allowed', 'never'], 'must be same, allowed or never')
    .default('same')
    .describe('Up to which verdict the data becomes the next version at once.'),
  source: sourceUrl.optional().describe('Where the job is that sends the data.'),
})

/** The query of a raw upload of a new check. */
export const rawCheck = rawUpload.omit({ title: true }).extend({
  tool: tool.optional().describe("Of a raw upload; by default the snippet's."),
  title: title.optional().describe("Of a raw upload; by default the snippet's."),
  key: rawUpload.shape.key.describe(
    'The member of `data` that holds the uploaded text; by default that of the current version.',
  ),
})

const states = ['pending', 'accepted', 'approved', 'rejected', 'expired'] as const

export const checkListQuery = z.object({
  state: z
    .enum(states, 'must be pending, accepted, approved, rejected or expired')
    .optional()
    .describe('Only checks in this state.'),
  limit,
  cursor,
})

/** A note may have several lines. */
const unprintable = /[^\P{Cc}\n\r\t]|\p{Cs}/u

/** The body of a decision. */
export const decision = z.strictObject({
  note: z
    .string()
    .refine((text) => codePoints(text) <= 500, {
      error: 'must be at most 500 characters',
      params: { code: 'too_long' },
    })
    .refine((text) => !unprintable.test(text), {
      error: 'must not contain control characters or lone surrogates',
      params: { code: 'invalid_characters' },
    })
    .optional()
    .meta({ description: 'Why; kept with the check.', maxLength: 500, example: 'The new prices.' }),
})

const version = z.int().nullable()
const value = z.string().nullable()

/** One thing that the contract does not allow. */
const brokenRule = z
  .object({
    pointer: z.string().describe('Where in the data; of what was removed, in the baseline.'),
    rule: z.string().describe('What was broken, such as `tolerance`. New rules may be added.'),
    baseline: value.describe('The value there, as it is spelled; null for none.'),
    candidate: value,
    message: z.string().optional(),
  })
  .meta({ id: 'CheckBreak' })

const first = {
  id: z.string(),
  url: z.string().describe('The page on which the owner decides.'),
  snippet_id: z.string().nullable().describe('null while there is no snippet of this name.'),
  name: z.string().nullable().describe("The snippet's, when the check was made."),
  verdict: z
    .enum(['same', 'allowed', 'breaks', 'new'])
    .describe(
      '`same`: nothing differs. `allowed`: only what the contract allows. `new`: there is no version yet.',
    ),
  state: z
    .enum(states)
    .describe('`accepted`: it became a version at once. `approved`: the owner made it one.'),
  as: z.string().describe('What the data was read as: `json`, `ndjson`, `csv` or `text`.'),
  counts: z.object({ breaks: z.int(), allowed: z.int() }),
}
const breaks = z.array(brokenRule).describe('The first of them, up to 100 and 64 KiB.')
const last = {
  truncated: z.boolean().describe('Whether there are more breaks than are listed.'),
  baseline_version: version.describe('The version that the data was judged against; null for none.'),
  contract_version: version.describe('null if there was no contract: then everything counts.'),
  version: version.describe('The version that the data became; null if it did not.'),
  tool: z.string(),
  title: z.string(),
  size_bytes: sizeBytes,
  sha256: z.string().describe('SHA-256 of `data`, in hexadecimal digits.'),
  created_at: timestamp,
  expires_at: timestamp.describe('When a pending check expires, or a decided one is deleted.'),
  principal: principal.describe('Who sent the data.'),
  decided_at: timestamp.nullable(),
  decided_by: principal.describe('Who approved or rejected it; null if nobody did.'),
  note: z.string().nullable(),
  source: z.string().nullable().describe('Where the job is that sent the data.'),
  raw_url: z.string(),
  baseline_url: z.string().nullable().describe('The bytes of the version that it was judged against.'),
}

/** A check. */
export const check = z.object({ ...first, breaks, ...last }).meta({ id: 'Check' })

export const checkPage = z
  .object({
    checks: z.array(z.object({ ...first, ...last }).meta({ id: 'CheckSummary' })),
    next_cursor: nextCursor,
  })
  .meta({ id: 'CheckPage' })
