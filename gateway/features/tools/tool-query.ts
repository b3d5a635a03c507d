import { z } from 'zod'
import type { ToolDescription } from '#engine/tools/tool.js'
import { readOptions } from '#engine/tools/tool.js'
import { type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { optionErrors, parseQuery, unknownParameters } from '../../body/parse-fields.js'
import { allowSecretsText, expiresInText, name, plainText, title } from '../schemas.js'
import { maxViewsText } from '../shares/share-schemas.js'

/** If given at all. */
const trueOnly = (description: string) =>
  z
    .literal('true', 'must be true')
    .transform(() => true)
    .optional()
    .meta({ description, type: 'boolean', enum: [true], const: undefined })

/** The query of a run besides the options of its tool. */
export const toolQuery = z.object({
  save: z
    .union(
      [
        z.literal('true'),
        z
          .string()
          .regex(/^@/)
          .transform((text) => text.slice(1))
          .pipe(name),
      ],
      'must be true, or @ and the name of a snippet',
    )
    .optional()
    .describe(
      'Saves the output as a snippet and responds with the snippet: `true` for a new one, `@name` to create or replace the one with this name.',
    ),
  share: trueOnly('Publishes the output as a share and responds with the share.'),
  title: title.optional().describe('The title of the snippet or share; by default, the tool and the date.'),
  key: plainText(100)
    .optional()
    .describe('The member of `data` that holds the output; by default named after its format.'),
  expires_in: expiresInText.optional().meta({
    description: 'Seconds until the share expires.',
    type: 'integer',
    minimum: 60,
  }),
  allow_secrets: allowSecretsText,
  max_views: maxViewsText.optional().meta({
    description: 'How often the share may be revealed.',
    ...{ type: 'integer', minimum: 1, maximum: 1_000 },
  }),
  burn: trueOnly('Short for `max_views=1`.'),
  history: trueOnly('Records the tool and the sizes, but none of the content, in your history.'),
})

const ofShares = ['expires_in', 'max_views', 'burn', 'allow_secrets'] as const

/** The query of a run, checked. */
export interface ToolQuery extends z.infer<typeof toolQuery> {
  readonly options: Readonly<Record<string, unknown>>
}

function unknownOption(tool: ToolDescription, name: string): FieldError {
  const known = Object.keys(tool.options.shape)
  const detail = `${name} is not an option of ${tool.name}. ${known.length === 0 ? 'It has none.' : `Use ${known.join(', ')}.`}`
  return { pointer: name, code: 'unknown_parameter', detail }
}

/**
 * Reads the query of a run. A mistyped option would change the output silently, so unknown parameters are refused.
 * @throws DomainError `unknown_parameter` or `validation_failed`; either lists every problem.
 */
export function readToolQuery(tool: ToolDescription, search: URLSearchParams): ToolQuery {
  const query = parseQuery(toolQuery, search)
  const own = [...search].filter(([name]) => !Object.hasOwn(toolQuery.shape, name))
  const repeated = own.filter(([name], index) => own.findIndex(([other]) => other === name) < index)
  const errors: FieldError[] = repeated.map(([name]) => ({
    pointer: name,
    code: 'repeated',
    detail: `${name} must appear only once.`,
  }))
  const unknown = own.filter(([name]) => !Object.hasOwn(tool.options.shape, name))
  errors.push(...unknown.map(([name]) => unknownOption(tool, name)))
  if (query.save !== undefined && query.share !== undefined)
    errors.push({ pointer: 'share', code: 'invalid', detail: 'Use save or share, not both.' })
  for (const pointer of ofShares)
    if (query[pointer] !== undefined && query.share === undefined)
      errors.push({ pointer, code: 'invalid', detail: `${pointer} needs share=true.` })
  const options = readOptions(tool, own)
  errors.push(...(unknown.length === 0 ? optionErrors(tool.options, options) : []))
  if (unknown.length > 0) throw unknownParameters(errors)
  if (errors.length > 0) throw validationFailed(errors.slice(0, 100))
  return { ...query, options }
}
