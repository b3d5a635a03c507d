import { z } from 'zod'
import { allowSecretsText } from './allow-secrets.js'
import { expiresInText, name, plainText, title, toggle, tool } from './schemas.js'
import { maxViewsText } from './shares/share-schemas.js'

const rawUpload = z.object({
  tool: tool.meta({ description: 'For a raw upload, whose body is the content itself instead of JSON.' }),
  title: title.optional().meta({ description: 'For a raw upload; by default the tool and the date.' }),
  key: plainText(100).optional().meta({
    description: 'The member of `data` that holds the uploaded text; by default the last word of the tool.',
  }),
})

/** The query of a raw PUT of a snippet. */
export const rawPut = rawUpload.extend({
  tag: z
    .array(z.string().trim().pipe(plainText(50)))
    .max(20, { error: 'must appear at most 20 times' })
    .default([])
    .meta({ description: 'A tag of a raw upload. Repeat it for several.' }),
})

/** The query of a raw upload of a new snippet. */
export const rawSnippet = rawPut.extend({
  name: name.optional().meta({ description: 'Name of a raw upload.' }),
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
  burn: toggle(false).meta({ description: 'For a raw upload: short for `max_views=1`.' }),
})

/** For the OpenAPI document. */
export const rawUploads =
  'With `?tool=` the body may be the content itself: any text in UTF-8, as `curl -T out.csv` sends it, or with `Content-Type: application/vnd.snipkeep.data+json` the value of `data`. `Accept: text/plain` returns just the URL.'

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
