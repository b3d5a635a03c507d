import { z } from 'zod'
import type { ToolDescription } from './tool.js'

/** How an option is chosen in a form. */
export type OptionControl =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  /** Lists are text with commas. */
  | { readonly kind: 'text'; readonly lengthMax: number }

/** An option of a tool as a field of a form, whose values are texts as `readOptions` takes them. */
export interface OptionField {
  readonly name: string
  readonly description: string
  /** What an option that is left out has. */
  readonly fallback: string
  readonly control: OptionControl
}

const textLengthMax = 4_096

/** The part of JSON Schema that options use. */
interface OptionSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

function controlOf(schema: OptionSchema): OptionControl {
  const { enum: choices, type, minimum, maximum, maxLength = textLengthMax } = schema
  if (choices !== undefined) return { kind: 'choice', choices }
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'integer' && minimum !== undefined && maximum !== undefined)
    return { kind: 'number', min: minimum, max: maximum }
  return { kind: 'text', lengthMax: maxLength }
}

/** The options of a tool as fields of a form, in order. */
export function optionFields({ options }: Pick<ToolDescription, 'options'>): readonly OptionField[] {
  const properties: Readonly<Record<string, OptionSchema>> = Object(
    z.toJSONSchema(options, { io: 'input' }).properties,
  )
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    // A list has its items between commas, as in a query.
    fallback: String(schema.default ?? ''),
    control: controlOf(schema),
  }))
}
