import { z } from 'zod'

const side = z
  .strictObject({
    snippet: z
      .string()
      .optional()
      .meta({ description: 'The id of a snippet of yours, or `@` and its name.' }),
    version: z
      .int({ error: 'must be a whole number' })
      .min(1, { error: 'must be at least 1' })
      .optional()
      .meta({ description: 'A version of the snippet; by default the current one.' }),
    share: z.string().optional().meta({ description: 'The id of a share.' }),
    data: z.record(z.string(), z.unknown()).optional().meta({ description: 'The value of `data` itself.' }),
    pointer: z
      .string()
      .max(10_000, { error: 'must be at most 10000 characters' })
      .optional()
      .meta({ description: 'JSON Pointer to the value that is compared. A string is compared as its text.' }),
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

/** The body of a comparison. */
export const comparisonRequest = z.strictObject({
  a: side.meta({ description: 'What there was before.' }),
  b: side.meta({ description: 'What there is now.' }),
  key: z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(1_000, { error: 'must be at most 1000 characters' })
    .optional()
    .meta({
      description:
        'The member that identifies items of arrays, or the column that identifies rows of CSV; one that does not is refused (`key_not_found`, `key_not_unique`). Guessed by default.',
    }),
  ignore: z
    .array(z.string().max(1_000, { error: 'must be at most 1000 characters' }))
    .max(100, { error: 'must have at most 100 items' })
    .optional()
    .meta({
      description: 'JSON Pointers that are not compared; `*` stands for any one step, as in `/*/updated_at`.',
    }),
  numbers: z
    .enum(['exact', 'value'], { error: 'must be exact or value' })
    .default('exact')
    .meta({ description: 'Whether `1.0` differs from `1`.' }),
  format: z
    .enum(['changes', 'summary', 'json-patch', 'text'], {
      error: 'must be changes, summary, json-patch or text',
    })
    .default('changes')
    .meta({ description: 'What the response has besides `equal`, `as` and `summary`.' }),
  values: z.enum(['json', 'text'], { error: 'must be json or text' }).default('json').meta({
    description:
      'How `from` and `to` are written: `json` as the value itself, `text` as a string of its exact text, for clients that would round numbers.',
  }),
  limit: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be at least 1' })
    .max(1_000, { error: 'must be at most 1000' })
    .default(1_000)
    .meta({ description: 'How many changes are listed at most.' }),
})

const pointer = z.string().meta({
  description:
    'JSON Pointer in `a`, or in `b` for what was added. Rows of CSV (without their header) and lines of text are items of an array.',
})
const exact = z.unknown().meta({
  description: 'The value, spelled as in the document. Of CSV and text a string.',
})

const change = z
  .object({
    op: z.enum(['add', 'remove', 'replace', 'move']).meta({
      description:
        '`move`: a record that a key identifies stands elsewhere. What has changed in it follows as changes of their own.',
    }),
    pointer,
    new_pointer: z.string().optional().meta({ description: 'Where the value is in `b`, if that differs.' }),
    key: z.string().optional().meta({ description: 'Of CSV: the cell that identifies the row.' }),
    column: z.string().optional().meta({ description: 'Of CSV: the column of a replaced cell.' }),
    from: exact.optional(),
    to: exact.optional(),
  })
  .meta({ id: 'Change' })

/** The response to a comparison. */
export const comparison = z
  .object({
    equal: z.boolean(),
    as: z.enum(['json', 'csv', 'text']).meta({ description: 'What both were compared as.' }),
    summary: z.object({
      added: z.int().meta({ description: 'Values, rows of CSV, or lines of text.' }),
      removed: z.int(),
      changed: z.int(),
      moved: z.int().meta({ description: 'Records that a key identifies and that stand in another order.' }),
      columns_added: z.array(z.string()),
      columns_removed: z.array(z.string()),
    }),
    changes: z.array(change).optional().meta({ description: 'With the format `changes`, in their order.' }),
    truncated: z
      .boolean()
      .optional()
      .meta({ description: 'Whether there are more changes than are listed.' }),
    patch: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .meta({ description: 'With the format `json-patch`: a JSON Patch (RFC 6902) that makes `b` of `a`.' }),
    text: z.string().optional().meta({ description: 'With the format `text`: a unified diff of the lines.' }),
  })
  .meta({ id: 'Comparison' })
