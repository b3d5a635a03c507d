import { z } from 'zod'
import { encodingNames } from '#engine/encoding/encodings.js'
import { toolPattern, unprintable } from '#libs/core/field-rules.js'

/** Counts code points, not UTF-16 units. */
export const codePoints = (text: string): number => [...text].length

/** 1 to `max` code points, without control characters, and not only white space. */
export function plainText(max: number) {
  return z
    .string()
    .refine((text) => text.trim() !== '', { error: 'must not be empty', params: { code: 'too_short' } })
    .refine((text) => codePoints(text) <= max, {
      error: `must be at most ${max} characters`,
      params: { code: 'too_long' },
    })
    .refine((text) => !unprintable.test(text), {
      error: 'must not contain control characters or lone surrogates',
      params: { code: 'invalid_characters' },
    })
    .meta({ minLength: 1, maxLength: max })
}

/** The tool that produced an output. */
export const tool = z
  .string()
  .regex(toolPattern, 'must be 1 to 64 characters from A-Z a-z 0-9 . _ - and start with a letter or digit')
  .meta({ example: 'csv-formatter' })

/** The title of a snippet or share. */
export const title = plainText(200).meta({ example: 'Customers, March' })

/** Labels; trimmed, duplicates dropped, order kept. */
export const tags = z
  .array(z.string().trim().pipe(plainText(50)))
  .transform((list) => [...new Set(list)])
  .refine((list) => list.length <= 20, { error: 'must have at most 20 items', params: { code: 'too_many' } })
  .meta({
    description: 'Trimmed and deduplicated; the order is kept.',
    maxItems: 20,
    example: ['ci', 'nightly'],
  })

/** The owner's name for a snippet. */
export const name = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,99}$/,
    'must be 1 to 100 characters from a-z 0-9 . _ - and start with a letter or digit',
  )
  .meta({
    description: 'Unique among your snippets; `@` and the name can replace the id in every path.',
    example: 'nightly-report',
  })

/** The fields of a PUT besides `data`. */
export const putSnippet = z.strictObject({ tool, title, tags: tags.optional() })

/** The fields of a new snippet besides `data`. */
export const newSnippet = putSnippet.extend({ name: name.optional() })

/** The fields of a PATCH besides `data`. */
export const snippetChange = z.strictObject({
  name: name.nullable().optional().describe('Unique among your snippets; `null` removes it.'),
  tool: tool.optional(),
  title: title.optional(),
  tags: tags.optional(),
})

/** In seconds from now. */
export const expiresIn = z.int('must be a whole number of seconds').min(60, 'must be at least 60 seconds')

/** The same as a parameter of a query. */
export const expiresInText = z
  .string()
  .regex(/^[0-9]+$/, 'must be a whole number of seconds')
  .transform(Number)
  .pipe(expiresIn)

export const limit = z
  .string()
  .regex(/^[1-9][0-9]*$/, 'must be a whole number of at least 1')
  .transform((digits) => Math.min(Number(digits), 100))
  .default(20)
  .meta({
    description: 'Maximum items per page; values above 100 mean 100.',
    type: 'integer',
    minimum: 1,
    default: 20,
    pattern: undefined,
  })

export const cursor = z
  .string()
  .min(1, 'must not be empty')
  .max(1_024, 'must be an unchanged next_cursor')
  .optional()
  .describe('`next_cursor` from the previous page.')

/** `true`, `1` and an empty value mean true; `false` and `0` mean false. */
export function toggle(fallback: boolean) {
  return z
    .enum(['', 'true', '1', 'false', '0'], 'must be true or false')
    .transform((word) => word !== 'false' && word !== '0')
    .default(fallback)
    .meta({ type: 'boolean', default: fallback, enum: undefined })
}

/** The query of any raw upload. */
export const rawUpload = z.object({
  tool: tool.describe('For a raw upload, whose body is the content itself instead of JSON.'),
  title: title.optional().describe('For a raw upload; by default the tool and the date.'),
  key: plainText(100)
    .optional()
    .describe('The member of `data` that holds the uploaded text; by default the last word of the tool.'),
  encoding: z
    .enum(['auto', ...encodingNames], 'must be auto or the name of an encoding, such as windows-1252')
    .default('utf-8')
    .describe(
      'The encoding of a text that is uploaded as it is; `auto` goes by its byte order mark. It is stored in UTF-8.',
    ),
})

/** The query of a raw PUT of a snippet. */
export const rawPut = rawUpload.extend({
  tag: z
    .array(z.string().trim().pipe(plainText(50)))
    .max(20, 'must appear at most 20 times')
    .default([])
    .describe('A tag of a raw upload. Repeat it for several.'),
})

/** The query of a raw upload of a new snippet. */
export const rawSnippet = rawPut.extend({
  name: name.optional().describe('Name of a raw upload.'),
})

/** What a raw upload is, for the OpenAPI document. */
export const rawUploads =
  'With `?tool=` the body may be the content itself: any text in UTF-8, or in the encoding that `?encoding=` names, as `curl -T out.csv` sends it, or with `Content-Type: application/vnd.snipkeep.data+json` the value of `data`. `Accept: text/plain` returns just the URL.'

/** The same as a further response of theirs. */
export const urlAlone = {
  'text/plain': z.string().describe('Just the URL, if `Accept` prefers it.'),
}

/** The default member of `data` for an uploaded text: the last word of the tool. */
export function lastWord(tool: string): string {
  return tool.split(/[._-]/).findLast((word) => word !== '') ?? 'text'
}

/** Generates the title of a raw upload without one. */
export function titled({ tool, title }: { readonly tool: string; readonly title: string }) {
  if (title !== '') return { tool, title, titleIsGenerated: false }
  const today = new Date().toISOString().slice(0, 10)
  return { tool, title: `${tool} ${today}`, titleIsGenerated: true }
}

export const snippetListQuery = z.object({
  tool: tool.optional().describe('Only snippets from this tool.'),
  tag: z
    .array(z.string().trim().pipe(plainText(50)))
    .max(20, 'must appear at most 20 times')
    .default([])
    .describe('Only snippets with this tag. Repeat it to require several tags.'),
  q: plainText(200).optional().describe('Words that must all appear in the title or tags.'),
  include_data: toggle(true).describe('Set to false to leave out `data`.'),
  limit,
  cursor,
})

export const snippetQuery = snippetListQuery.pick({ include_data: true })

export const shareListQuery = z.object({
  tool: tool.optional().describe('Only shares from this tool.'),
  state: z
    .enum(['live', 'expired', 'all'], 'must be live, expired or all')
    .default('live')
    .describe('Which shares to list.'),
  limit,
  cursor,
})

export const timestamp = z.iso.datetime().describe('RFC 3339 in UTC, with milliseconds.')
export const sizeBytes = z.int().describe('Size of `data` in bytes, as sent.')
export const data = z
  .record(z.string(), z.unknown())
  .describe('Any JSON object; stored and returned byte for byte.')

const snippetFields = {
  id: z.string(),
  name: z.string().optional().describe('Absent for a snippet without a name.'),
  tool: z.string(),
  title: z.string(),
}
const changes = { created_at: timestamp, updated_at: timestamp }

/** A snippet without `data`. */
export const snippetSummary = z
  .object({ ...snippetFields, tags: z.array(z.string()), size_bytes: sizeBytes, ...changes })
  .meta({ id: 'SnippetSummary' })

export const snippet = z
  .object({ ...snippetFields, data, tags: z.array(z.string()), size_bytes: sizeBytes, ...changes })
  .meta({ id: 'Snippet' })

export const nextCursor = z
  .string()
  .nullable()
  .describe('Pass as `cursor` to get the next page; null on the last page.')

/** A snippet with or without `data`. */
export const listedSnippet = snippet
  .extend({ data: data.optional().describe('Absent with `include_data=false`.') })
  .meta({ id: 'ListedSnippet' })

export const snippetPage = z
  .object({ snippets: z.array(listedSnippet), next_cursor: nextCursor })
  .meta({ id: 'SnippetPage' })

/** The response to a delete. */
export const deleted = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: 'Deleted' })

/** RFC 9457. */
export const problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable, machine-readable code.'),
    detail: z.string().describe('What went wrong and what to do, as a sentence.'),
    request_id: z.string(),
    errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })).optional(),
  })
  .loose()
  .meta({ id: 'Problem' })

const description =
  'Whether to publish `data` although it seems to contain a secret. `true` publishes it and records that in your activity; `false` refuses it with 400 `secret_found`; by default the server decides.'

/** `allow_secrets` in a body. */
export const allowSecrets = z.boolean().optional().describe(description)

/** The same as a parameter of a query. */
export const allowSecretsText = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((word) => word === 'true')
  .optional()
  .meta({ description, type: 'boolean', enum: undefined })
