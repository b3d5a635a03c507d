import { z } from 'zod'
import { commentPattern, skippedLinesMax } from '#engine/csv/line-skipper.js'

const side = z
  .strictObject({
    snippet: z.string().optional().meta({
      description: 'The id of a snippet of yours, or `@` and its name.',
      example: '@nightly-report',
    }),
    version: z
      .int({ error: 'must be a whole number' })
      .min(1, { error: 'must be at least 1' })
      .optional()
      .meta({ description: 'A version of the snippet; by default the current one.' }),
    share: z.string().optional().meta({ description: 'The id of a share.' }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'A document to compare, given inline.' }),
    pointer: z
      .string()
      .max(10_000, { error: 'must be at most 10000 characters' })
      .optional()
      .meta({ description: 'JSON Pointer to the value to compare. A string is compared as text.' }),
  })
  .refine(
    ({ snippet, share, data }) => [snippet, share, data].filter((one) => one !== undefined).length === 1,
    {
      error: 'must have one of snippet, share and data',
      params: { code: 'ambiguous' },
    },
  )
  .refine(({ snippet, version }) => version === undefined || snippet !== undefined, {
    error: 'needs a snippet',
    path: ['version'],
  })

const keyName = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(1_000, { error: 'must be at most 1000 characters' })

/** The body of a comparison. */
export const comparisonRequest = z.strictObject({
  a: side.meta({ description: 'The old document.' }),
  b: side.meta({ description: 'The new document.' }),
  key: z
    .union(
      [
        keyName,
        z
          .array(keyName)
          .min(1)
          .max(10)
          .transform((names) => JSON.stringify(names)),
      ],
      {
        error: 'must be a name or an array of names',
      },
    )
    .optional()
    .meta({
      description:
        'The member that identifies array items, or the column that identifies CSV rows, or several that do together: an array, or one string with commas between. Rejected if one is missing (`key_not_found`) or they repeat (`key_not_unique`). By default, a member or column that is named like an identifier; the response then has `guessed_keys`.',
    }),
  ignore: z
    .array(z.string().max(1_000, { error: 'must be at most 1000 characters' }))
    .max(100, { error: 'must have at most 100 items' })
    .optional()
    .meta({
      description: 'JSON Pointers to ignore; `*` matches any single step, as in `/*/updated_at`.',
    }),
  numbers: z
    .enum(['exact', 'value'], { error: 'must be exact or value' })
    .default('exact')
    .meta({ description: 'Whether `1.0` differs from `1`.' }),
  quotes: z
    .enum(['strict', 'lenient'], { error: 'must be strict or lenient' })
    .default('strict')
    .meta({ description: 'Whether CSV with wrong quotes is refused, or kept to the letter.' }),
  comment: z
    .string()
    .regex(commentPattern, {
      error: 'must be one character of ASCII that is no letter, digit, blank or quote',
    })
    .optional()
    .meta({ description: 'The character, such as `#`, that begins lines of CSV that are no rows.' }),
  skip: z
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must be at least 0' })
    .max(skippedLinesMax, { error: `must be at most ${skippedLinesMax}` })
    .default(0)
    .meta({ description: 'How many lines of CSV precede both tables.' }),
  format: z
    .enum(['changes', 'summary', 'json-patch', 'text'], {
      error: 'must be changes, summary, json-patch or text',
    })
    .default('changes')
    .meta({ description: 'What the response contains besides `equal`, `as` and `summary`.' }),
  values: z.enum(['json', 'text'], { error: 'must be json or text' }).default('json').meta({
    description:
      'How `from` and `to` are written: `json` is the value itself; `text` is a string with its exact text, for clients that would round numbers.',
  }),
  limit: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be at least 1' })
    .max(1_000, { error: 'must be at most 1000' })
    .default(1_000)
    .meta({ description: 'The maximum number of changes to list.' }),
})

const pointer = z.string().meta({
  description:
    'JSON Pointer into `a`, or into `b` for additions. CSV rows (without the header) and lines of text count as array items.',
})
const exact = z.unknown().meta({
  description: 'The value exactly as written in the document; for CSV and text, a string.',
})

const change = z
  .object({
    op: z.enum(['add', 'remove', 'replace', 'move']).meta({
      description:
        '`move`: a record identified by a key has a new position. Changes within it are listed separately.',
    }),
    pointer,
    new_pointer: z.string().optional().meta({ description: 'JSON Pointer into `b`, if it differs.' }),
    key: z
      .string()
      .optional()
      .meta({ description: 'For CSV: the cell that identifies the row, or a JSON array of several.' }),
    column: z.string().optional().meta({ description: 'For CSV: the column of a replaced cell.' }),
    from: exact.optional(),
    to: exact.optional(),
  })
  .meta({ id: 'Change' })

/** The response to a comparison. */
export const comparison = z
  .object({
    equal: z.boolean(),
    as: z.enum(['json', 'csv', 'text']).meta({ description: 'How both documents were compared.' }),
    guessed_keys: z.array(z.string()).optional().meta({
      description:
        'The members or columns by which items or rows were identified though `key` named none. Absent if there are none.',
    }),
    summary: z.object({
      added: z.int().meta({ description: 'Counts values, CSV rows or lines of text.' }),
      removed: z.int(),
      changed: z.int(),
      moved: z.int().meta({ description: 'Counts records identified by a key whose position changed.' }),
      columns_added: z.array(z.string()),
      columns_removed: z.array(z.string()),
    }),
    changes: z
      .array(change)
      .optional()
      .meta({ description: 'With the format `changes`: the changes, in document order.' }),
    truncated: z
      .boolean()
      .optional()
      .meta({ description: 'Whether some changes are not listed because of `limit`.' }),
    patch: z.array(z.record(z.string(), z.unknown())).optional().meta({
      description: 'With the format `json-patch`: a JSON Patch (RFC 6902) that turns `a` into `b`.',
    }),
    text: z.string().optional().meta({ description: 'With the format `text`: a unified diff of the lines.' }),
  })
  .meta({ id: 'Comparison' })
