import { z } from 'zod'
import { commentPattern, skippedLinesMax } from '#engine/csv/line-skipper.js'

const side = z
  .strictObject({
    snippet: z.string().optional().meta({
      description: 'The id of a snippet of yours, or `@` and its name.',
      example: '@nightly-report',
    }),
    version: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .optional()
      .describe('A version of the snippet; by default the current one.'),
    share: z.string().optional().describe('The id of a share.'),
    data: z.record(z.string(), z.unknown()).optional().describe('A document to compare, given inline.'),
    pointer: z
      .string()
      .max(10_000, 'must be at most 10000 characters')
      .optional()
      .describe('JSON Pointer to the value to compare. A string is compared as text.'),
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

const keyName = z.string().min(1, 'must not be empty').max(1_000, 'must be at most 1000 characters')

/** The body of a comparison. */
export const comparisonRequest = z.strictObject({
  a: side.describe('The old document.'),
  b: side.describe('The new document.'),
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
      'must be a name or an array of names',
    )
    .optional()
    .describe(
      'The member that identifies array items, or the column that identifies CSV rows, or several that do together: an array, or one string with commas between. Rejected if one is missing (`key_not_found`) or they repeat (`key_not_unique`). By default, a member or column that is named like an identifier; the response then has `guessed_keys`.',
    ),
  ignore: z
    .array(z.string().max(1_000, 'must be at most 1000 characters'))
    .max(100, 'must have at most 100 items')
    .optional()
    .describe('JSON Pointers to ignore; `*` matches any single step, as in `/*/updated_at`.'),
  numbers: z
    .enum(['exact', 'value'], 'must be exact or value')
    .default('exact')
    .describe('Whether `1.0` differs from `1`.'),
  quotes: z
    .enum(['strict', 'lenient'], 'must be strict or lenient')
    .default('strict')
    .describe('Whether CSV with wrong quotes is refused, or kept to the letter.'),
  comment: z
    .string()
    .regex(commentPattern, 'must be one character of ASCII that is no letter, digit, blank or quote')
    .optional()
    .describe('The character, such as `#`, that begins lines of CSV that are no rows.'),
  skip: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(skippedLinesMax, `must be at most ${skippedLinesMax}`)
    .default(0)
    .describe('How many lines of CSV precede both tables.'),
  format: z
    .enum(['changes', 'summary', 'json-patch', 'text'], 'must be changes, summary, json-patch or text')
    .default('changes')
    .describe('What the response contains besides `equal`, `as` and `summary`.'),
  values: z
    .enum(['json', 'text'], 'must be json or text')
    .default('json')
    .describe(
      'How `from` and `to` are written: `json` is the value itself; `text` is a string with its exact text, for clients that would round numbers.',
    ),
  limit: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000, 'must be at most 1000')
    .default(1_000)
    .describe('The maximum number of changes to list.'),
})

const pointer = z
  .string()
  .describe(
    'JSON Pointer into `a`, or into `b` for additions. CSV rows (without the header) and lines of text count as array items.',
  )
const exact = z
  .unknown()
  .describe('The value exactly as written in the document; for CSV and text, a string.')

const change = z
  .object({
    op: z
      .enum(['add', 'remove', 'replace', 'move'])
      .describe(
        '`move`: a record identified by a key has a new position. Changes within it are listed separately.',
      ),
    pointer,
    new_pointer: z.string().optional().describe('JSON Pointer into `b`, if it differs.'),
    key: z
      .string()
      .optional()
      .describe('For CSV: the cell that identifies the row, or a JSON array of several.'),
    column: z.string().optional().describe('For CSV: the column of a replaced cell.'),
    from: exact.optional(),
    to: exact.optional(),
  })
  .meta({ id: 'Change' })

/** The response to a comparison. */
export const comparison = z
  .object({
    equal: z.boolean(),
    as: z.enum(['json', 'csv', 'text']).describe('How both documents were compared.'),
    guessed_keys: z
      .array(z.string())
      .optional()
      .describe(
        'The members or columns by which items or rows were identified though `key` named none. Absent if there are none.',
      ),
    summary: z.object({
      added: z.int().describe('Counts values, CSV rows or lines of text.'),
      removed: z.int(),
      changed: z.int(),
      moved: z.int().describe('Counts records identified by a key whose position changed.'),
      columns_added: z.array(z.string()),
      columns_removed: z.array(z.string()),
    }),
    changes: z
      .array(change)
      .optional()
      .describe('With the format `changes`: the changes, in document order.'),
    truncated: z.boolean().optional().describe('Whether some changes are not listed because of `limit`.'),
    patch: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('With the format `json-patch`: a JSON Patch (RFC 6902) that turns `a` into `b`.'),
    text: z.string().optional().describe('With the format `text`: a unified diff of the lines.'),
  })
  .meta({ id: 'Comparison' })
