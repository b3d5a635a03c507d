import { z } from 'zod'
import { principal } from '../revisions/revision-schemas.js'
import { timestamp } from '../schemas.js'

const path = z.string().describe('JSON Pointer with `*` for any one step; of CSV, `/*/column`.')
const number = z.string().describe('A number in a string, such as `0.01`.')

/** The rules as the OpenAPI document shows them; they are read where contracts run. */
export const contractRules = z
  .strictObject({
    compare: z
      .enum(['values', 'shape'])
      .optional()
      .describe('`shape` compares types and which members there are, not values. By default `values`.'),
    schema: z
      .union([z.boolean(), z.looseObject({})])
      .optional()
      .describe(
        'A JSON Schema (2020-12) that the data must fit, or `{"snippet": "@name"}` for the snippet that holds it.',
      ),
    keys: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('By the paths of arrays, the members that identify their items together.'),
    ignore: z
      .array(path)
      .optional()
      .meta({ description: 'What may differ in any way.', example: ['/generated_at'] }),
    tolerance: z
      .array(
        z.strictObject({
          path,
          absolute: number.optional(),
          relative: z.string().optional().describe('A percentage, such as `0.5%`.'),
        }),
      )
      .optional()
      .describe('How far numbers may be from those of the current version.'),
    pattern: z
      .array(z.strictObject({ path, matches: z.string().describe('A regular expression.') }))
      .optional()
      .describe('What texts must match.'),
    bounds: z
      .array(
        z.strictObject({
          path,
          change_max: z.string().optional().describe('A number or a percentage in a string.'),
          min: number.optional(),
          max: number.optional(),
        }),
      )
      .optional()
      .describe('Between which limits numbers must stay.'),
    order: z
      .enum(['significant', 'insignificant'])
      .optional()
      .describe('Whether it counts in which order items, rows and lines are. By default `significant`.'),
  })
  .meta({ id: 'ContractRules' })

/** A contract. */
export const contract = z
  .object({
    snippet_id: z.string(),
    rules: contractRules.describe('Exactly as sent.'),
    version: z.int().describe('Grows by one with each change.'),
    created_at: timestamp,
    updated_at: timestamp,
    principal: principal.describe('Who changed it last.'),
  })
  .meta({ id: 'Contract' })
