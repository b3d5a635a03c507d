import { z } from 'zod'
import { unprintable } from '#libs/core/field-rules.js'
import { ShareState } from '#proto/snipkeep/content/v1/share_service.js'
import {
  allowSecrets,
  allowSecretsText,
  codePoints,
  data,
  expiresIn,
  expiresInText,
  nextCursor,
  rawUpload,
  sizeBytes,
  timestamp,
  title,
  toggle,
  tool,
} from '../schemas.js'

/** The password of a share. */
export const sharePassword = z
  .string()
  .refine((text) => codePoints(text) >= 8, {
    error: 'must have at least 8 characters',
    params: { code: 'too_short' },
  })
  .refine((text) => codePoints(text) <= 128, {
    error: 'must have at most 128 characters',
    params: { code: 'too_long' },
  })
  // Headers, which may carry it, lose such white space.
  .refine((text) => text.trim() === text, {
    error: 'must not begin or end with white space',
    params: { code: 'untrimmed' },
  })
  .refine((text) => !unprintable.test(text), {
    error: 'must not contain control characters or lone surrogates',
    params: { code: 'invalid_characters' },
  })
  .meta({ minLength: 8, maxLength: 128, description: 'Needed to reveal the share.' })

const maxViewsRule = 'must be a whole number from 1 to 1000'

/** How often a share may be revealed. */
const maxViews = z
  .int(maxViewsRule)
  .min(1, maxViewsRule)
  .max(1_000, maxViewsRule)
  .describe('How often the share may be revealed; then it is gone (410 `share_used_up`).')

/** The same as a parameter of a query. */
export const maxViewsText = z
  .string()
  .regex(/^[0-9]{1,4}$/, maxViewsRule)
  .transform(Number)
  .pipe(maxViews)

/** The fields of a new share besides `data`. */
export const newShare = z
  .strictObject({
    tool,
    title,
    password: sharePassword.optional(),
    max_views: maxViews.optional(),
    allow_secrets: allowSecrets,
    burn: z.boolean().optional().describe('Short for `max_views: 1`.'),
    expires_in: expiresIn.optional(),
    expires_at: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 timestamp such as 2030-01-31T12:00:00Z' })
      .optional(),
  })
  .refine((share) => share.expires_in === undefined || share.expires_at === undefined, {
    error: 'cannot be combined with expires_in',
    path: ['expires_at'],
    params: { code: 'ambiguous' },
  })

/** The query of a raw upload of a share. */
export const rawShare = rawUpload.extend({
  allow_secrets: allowSecretsText,
  expires_in: expiresInText
    .optional()
    .meta({ description: 'For a raw upload: seconds until it expires.', type: 'integer', minimum: 60 }),
  max_views: maxViewsText.optional().meta({
    description: 'For a raw upload: how often the share may be revealed.',
    ...{ type: 'integer', minimum: 1, maximum: 1_000 },
  }),
  burn: toggle(false).describe('For a raw upload: short for `max_views=1`.'),
})

const shareTitle = z.string().describe('Cleared one year after the share expires.')
const shareFields = {
  id: z.string(),
  share_url: z.url().describe('Public page of the share; may be on a different host than the API.'),
  tool: z.string(),
  title: shareTitle,
}
const shareTimes = {
  size_bytes: sizeBytes,
  created_at: timestamp,
  expires_at: timestamp.nullable().describe('null if it never expires.'),
}

const gated = z.object({
  password: z.boolean().describe('Whether revealing it needs a password.'),
  views_left: z.int().nullable().describe('How often it may still be revealed; null for no limit.'),
})
const ownerOnly = { description: 'Only of a gated share, and only for its owner and operators.' }

/** The gate of a share, and how it was used. */
export const gateFields = {
  gated: gated.optional().describe('Absent from shares that anyone may read.'),
  views: z.int().optional().meta(ownerOnly),
  first_viewed_at: timestamp.nullable().optional().meta(ownerOnly),
  last_viewed_at: timestamp.nullable().optional().meta(ownerOnly),
  failed_passwords: z.int().optional().meta(ownerOnly),
}

/** A share without `data`. */
export const shareSummary = z
  .object({ ...shareFields, ...shareTimes, ...gateFields })
  .meta({ id: 'ShareSummary' })

export const share = z.object({ ...shareFields, data, ...shareTimes, ...gateFields }).meta({ id: 'Share' })

/** The body of a reveal. */
export const revealRequest = z.strictObject({
  // Not `sharePassword`: a wrong password of any length is wrong in the same way.
  password: z
    .string()
    .max(1_000, 'must be at most 1000 characters')
    .optional()
    .meta({ description: 'The password, if the share has one.', example: 'correct horse battery' }),
})

/** The response to a reveal. */
export const revealedShare = z
  .object({
    grant: z.string().describe('Send it as `Snipkeep-Grant` with each read of this share.'),
    grant_expires_at: timestamp.describe('Ten minutes from now.'),
    views_left: gated.shape.views_left,
    ...shareFields,
    ...shareTimes,
    gated,
  })
  .meta({ id: 'RevealedShare' })

/** A share in a list of its owner. */
const listedShare = shareSummary
  .extend({
    disabled_at: timestamp
      .nullable()
      .describe('When the operator of this installation disabled it; its link then returns 410.'),
  })
  .meta({ id: 'ListedShare' })

export const sharePage = z
  .object({ shares: z.array(listedShare), next_cursor: nextCursor })
  .meta({ id: 'SharePage' })

/** The states by which shares are listed. */
export const shareStates = {
  live: ShareState.SHARE_STATE_LIVE,
  expired: ShareState.SHARE_STATE_EXPIRED,
  all: ShareState.SHARE_STATE_ALL,
} as const
