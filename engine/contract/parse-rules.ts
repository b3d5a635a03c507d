import { z } from 'zod'
import { type Decimal, decimalOf, shifted } from '../decimal.js'
import { afterSpace, openBrace, stringBetween, stringEnd, textBetween } from '../json-bytes/json-bytes.js'
import { isJson } from '../json-bytes/json-scanner.js'
import { eachChild, isContainer, memberText } from '../json-bytes/json-walk.js'
import { pointerTo, stepsOf } from '../json-pointer.js'
import { markLength } from '../mark-length.js'
import { NotAPattern } from '../tools/json/path/parse-pattern.js'
import { compilePattern } from '../tools/json/path/path-pattern.js'
import { createPatternRoom, type Pattern, type PatternRoom } from '../tools/json/path/simulate-pattern.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import { type Contract, ContractError, type Tolerance, type ValueRule } from './contract.js'

/** Of a contract without its schema. */
const rulesMax = 1_000

const notAPath = 'must be a JSON Pointer, with * for any one step'
const path = z
  .string()
  .max(4_096)
  .refine((text) => stepsOf(text) !== null, notAPath)
const textOf = (form: RegExp, error: string) => z.string(error).regex(form, error)
const limit = textOf(/^\d+(\.\d+)?$/, 'must be a number in a string, such as "0.01"')
const percent = textOf(/^\d+(\.\d+)?%$/, 'must be a percentage in a string, such as "0.5%"')
const bound = textOf(/^-?\d+(\.\d+)?([eE][+-]?\d{1,15})?$/, 'must be a number in a string, such as "0"')
const some = 'must have at least one of its limits'

const contractSchema = z.strictObject({
  compare: z.enum(['values', 'shape']).optional(),
  schema: z
    .union([z.boolean(), z.looseObject({})], 'must be a JSON Schema, or {"snippet": "@name"}')
    .optional(),
  keys: z
    .unknown()
    // A record leaves this key out instead of looking at it.
    .refine((given) => !(given instanceof Object && Object.hasOwn(given, '__proto__')), {
      ...{ error: notAPath, path: ['__proto__'] },
    })
    .pipe(z.record(path, z.array(z.string().max(1_000)).min(1).max(20)))
    .optional(),
  ignore: z.array(path).max(rulesMax).optional(),
  tolerance: z
    .array(
      z
        .strictObject({ path, absolute: limit.optional(), relative: percent.optional() })
        .refine(({ absolute, relative }) => absolute !== undefined || relative !== undefined, some),
    )
    .max(rulesMax)
    .optional(),
  pattern: z
    .array(z.strictObject({ path, matches: z.string() }))
    .max(rulesMax)
    .optional(),
  bounds: z
    .array(
      z
        .strictObject({
          path,
          change_max: z.union([limit, percent], 'must be a number or percentage in a string').optional(),
          min: bound.optional(),
          max: bound.optional(),
        })
        .refine((one) => [one.change_max, one.min, one.max].some((given) => given !== undefined), some),
    )
    .max(rulesMax)
    .optional(),
  order: z.enum(['significant', 'insignificant']).optional(),
})

const articles: Readonly<Record<string, string>> = { array: 'an', object: 'an' }

/** What is wrong with a value, after its name. */
function wrongnessOf(issue: z.core.$ZodIssue): string {
  // What we say ourselves is better than what the library would.
  if (!/^(Invalid|Too) /.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'record'
        ? 'must be an object'
        : `must be ${articles[issue.expected] ?? 'a'} ${issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'too_big':
      return `must have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'items'}`
    case 'too_small':
      return 'must not be empty'
    default:
      return issue.message
  }
}

/** Of a limit that others are multiplied by. */
const factorDigitsMax = 12

function numberOf(text: string, pointer: string): Decimal {
  const decimal = decimalOf(text)
  if (decimal === null) throw new ContractError(pointer, 'The exponent has more than 15 digits.')
  return decimal
}

function factorOf(text: string, pointer: string): Decimal {
  const decimal = shifted(numberOf(text.slice(0, -1), pointer), -2)
  if (decimal.digits.length > factorDigitsMax)
    throw new ContractError(pointer, `A percentage may have ${factorDigitsMax} digits.`)
  return decimal
}

function toleranceOf(text: string, pointer: string): Tolerance {
  return text.endsWith('%')
    ? { absolute: null, relative: factorOf(text, pointer) }
    : { absolute: numberOf(text, pointer), relative: null }
}

/**
 * A pattern of ECMAScript, for the linear engine.
 * @throws ContractError for what it cannot run.
 */
function patternOf(text: string, pointer: string, room: PatternRoom): Pattern {
  try {
    return compilePattern(text, 'ecmascript', room)
  } catch (error) {
    if (error instanceof ToolInputError) throw new ContractError(pointer, error.message)
    if (!(error instanceof NotAPattern)) throw error
    const at = [...text.slice(0, error.at)].length + 1
    const message = `The pattern cannot be read from character ${at} on. There is no look-around and no back reference.`
    throw new ContractError(pointer, message)
  }
}

const noRule: ValueRule = { tolerance: null, pattern: null, changeMax: null, min: null, max: null }

type Parsed = z.output<typeof contractSchema>

function* rulesOf({
  tolerance = [],
  pattern = [],
  bounds = [],
}: Parsed): Generator<readonly [string, ValueRule]> {
  for (const [at, { path, absolute, relative }] of tolerance.entries()) {
    const limits: Tolerance = {
      absolute: absolute === undefined ? null : numberOf(absolute, `/tolerance/${at}/absolute`),
      relative: relative === undefined ? null : factorOf(relative, `/tolerance/${at}/relative`),
    }
    yield [path, { ...noRule, tolerance: limits }]
  }
  const room = createPatternRoom()
  for (const [at, { path, matches }] of pattern.entries())
    yield [path, { ...noRule, pattern: patternOf(matches, `/pattern/${at}/matches`, room) }]
  for (const [at, { path, change_max: change, min, max }] of bounds.entries())
    yield [
      path,
      {
        ...noRule,
        changeMax: change === undefined ? null : toleranceOf(change, `/bounds/${at}/change_max`),
        min: min === undefined ? null : numberOf(min, `/bounds/${at}/min`),
        max: max === undefined ? null : numberOf(max, `/bounds/${at}/max`),
      },
    ]
}

/** What compares values has no meaning where only shapes are compared. */
function refuseValueRules(parsed: Parsed): void {
  if (parsed.compare !== 'shape') return
  const refused = (['tolerance', 'keys', 'order'] as const).find((name) => parsed[name] !== undefined)
  const bound = (parsed.bounds ?? []).findIndex((one) => one.change_max !== undefined)
  const pointer = refused !== undefined ? `/${refused}` : bound >= 0 ? `/bounds/${bound}/change_max` : null
  if (pointer !== null)
    throw new ContractError(
      pointer,
      'This compares values, and "compare": "shape" compares none. Leave out one.',
    )
}

/** The name of the snippet that holds the schema, if the `schema` of a contract says so. */
export function schemaSnippetOf(schema: unknown): string | null {
  if (!(schema instanceof Object) || !('snippet' in schema)) return null
  const { snippet } = schema
  return Object.keys(schema).length === 1 && typeof snippet === 'string' ? snippet : null
}

/**
 * Refuses a member that an object has twice, since either may be meant; what is within a schema, the schema is checked for.
 * @returns where the container ends.
 */
function refuseRepeated(bytes: Uint8Array, container: number, steps: PropertyKey[]): number {
  const known = new Set<string>()
  return eachChild({ bytes }, container, (value, child, index) => {
    const name = bytes[container] === openBrace ? stringBetween(bytes, child, stringEnd(bytes, child)) : null
    const isWithin = steps[0] !== 'schema' && isContainer(bytes[value])
    steps.push(name ?? index)
    if (name !== null && known.has(name))
      throw new ContractError(pointerTo(steps), 'The object has this member twice. Leave out one.')
    if (name !== null) known.add(name)
    const end = isWithin ? refuseRepeated(bytes, value, steps) : undefined
    steps.pop()
    return end
  })
}

/**
 * The contract in a text of JSON.
 * @throws ContractError with the place of the first mistake: an unknown member, one that comes twice, a wrong value, a pattern that cannot be run.
 */
export function parseContract(marked: Uint8Array): Contract {
  const bytes = marked.subarray(markLength(marked))
  if (!isJson(bytes)) throw new ContractError('', 'The contract is not JSON.')
  const root = afterSpace(bytes, 0)
  if (isContainer(bytes[root])) refuseRepeated(bytes, root, [])
  const { data: parsed, error } = contractSchema.safeParse(JSON.parse(textBetween(bytes, 0, bytes.length)))
  const issue = error?.issues[0]
  if (issue !== undefined) {
    const extra = issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : null
    const pointer = pointerTo([...issue.path, ...(extra === null ? [] : [extra])])
    const [what, found] = issue.code === 'invalid_key' ? ['key', issue.issues[0] ?? issue] : ['value', issue]
    throw new ContractError(
      pointer,
      extra === null ? `This ${what} ${wrongnessOf(found)}.` : 'There is no such rule.',
    )
  }
  if (parsed === undefined) throw new ContractError('', 'The contract is not an object.')
  refuseValueRules(parsed)
  const snippet = schemaSnippetOf(parsed.schema)
  return {
    compare: parsed.compare ?? 'values',
    schema: snippet === null ? memberText(bytes, 'schema') : null,
    schemaSnippet: snippet,
    keys: Object.entries(parsed.keys ?? {}),
    ignore: parsed.ignore ?? [],
    rules: [...rulesOf(parsed)],
    order: parsed.order ?? 'significant',
  }
}
