import type { z } from 'zod'
import { pointerTo } from '#engine/json-pointer.js'
import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'

const codeOfIssue: Readonly<Record<string, string>> = {
  invalid_type: 'invalid_type',
  invalid_value: 'invalid_value',
  invalid_format: 'invalid_format',
  unrecognized_keys: 'unknown_field',
}

function codeOf(issue: z.core.$ZodIssue, missing: boolean): string {
  if (missing) return 'required'
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_short' : 'too_small'
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : issue.origin === 'array' ? 'too_many' : 'too_large'
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'invalid'
    default:
      return codeOfIssue[issue.code] ?? 'invalid'
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

function sentence(name: string, issue: z.core.$ZodIssue, missing: boolean): string {
  if (missing) return `${name} is required.`
  if (issue.code === 'invalid_type' && !/^must /.test(issue.message))
    return `${name} must be of type ${issue.expected}.`
  return `${name} ${issue.message}.`
}

/** A body of 64 KiB has room for thousands of problems, and each takes a hundred bytes of the response. */
const problemsMax = 100
/** Longer lists are rejected without a look at their items. */
const itemsMax = 1_000

function fieldErrors(
  error: z.ZodError,
  input: unknown,
  nameOf: (path: readonly PropertyKey[]) => string,
): FieldError[] {
  return error.issues.slice(0, problemsMax).map((issue) => {
    const missing = issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined
    const pointer = nameOf(issue.path)
    return {
      pointer,
      code: codeOf(issue, missing),
      detail: sentence(pointer.replace(/^\//, ''), issue, missing),
    }
  })
}

/** Removes lists that are too long to check, and returns the problems. */
function dropEndlessLists(input: Record<string, unknown>): FieldError[] {
  const endless = Object.entries(input).filter(([, value]) => Array.isArray(value) && value.length > itemsMax)
  return endless.map(([name]) => {
    delete input[name]
    return { pointer: pointerTo([name]), code: 'too_many', detail: `${name} has too many items.` }
  })
}

/**
 * Checks the fields of a body besides `data`.
 * @param found the scanner's problems.
 * @throws DomainError `unknown_field` for an unknown field, else `validation_failed`; either lists up to a hundred
 *   problems.
 */
export function parseBodyFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
  found: readonly FieldError[],
): z.infer<Schema> {
  const input = { ...fields }
  const endless = dropEndlessLists(input)
  const result = schema.safeParse(input)
  const wrong = result.success ? [] : fieldErrors(result.error, input, pointerTo)
  const errors = [...found, ...endless, ...wrong].slice(0, problemsMax)
  if (result.success && errors.length === 0) return result.data
  const unknown = errors.find((error) => error.code === 'unknown_field')
  if (unknown === undefined) throw validationFailed(errors)
  throw new DomainError('invalid', 'unknown_field', unknown.detail, { errors })
}

/** What an operation says of its query. */
export interface DeclaredQuery {
  readonly query?: z.ZodObject
  readonly rawQuery?: z.ZodObject
}

/** The refusal of parameters that an operation does not know; a mistyped one would have no effect. */
export function unknownParameters(errors: readonly FieldError[]): DomainError {
  const detail = errors.find(({ code }) => code === 'unknown_parameter')?.detail ?? 'A parameter is unknown.'
  return new DomainError('invalid', 'unknown_parameter', detail, { errors: errors.slice(0, problemsMax) })
}

function unknownParameter(name: string, known: readonly string[]): FieldError {
  const plain = name.replace(/\[.*$/s, '')
  const detail =
    name !== plain && known.includes(plain)
      ? `${plain} must be written without brackets.`
      : `${name.slice(0, 100)} is not a parameter of this operation. ${known.length === 0 ? 'It has none.' : `Use ${known.join(', ')}.`}`
  return { pointer: name, code: 'unknown_parameter', detail }
}

/**
 * Checks that the operation knows every parameter of the query.
 * @throws DomainError `unknown_parameter` that lists up to a hundred.
 */
export function checkParameters({ query, rawQuery }: DeclaredQuery, search: URLSearchParams): void {
  if (search.size === 0) return
  const known = Object.keys({ ...query?.shape, ...rawQuery?.shape })
  const unknown = [...new Set(search.keys())].filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw unknownParameters(unknown.slice(0, problemsMax).map((name) => unknownParameter(name, known)))
}

/**
 * Reads the parameters of the schema, and leaves all others alone. Only `tag` may be repeated.
 * @throws DomainError `validation_failed` that lists up to a hundred problems.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  search: URLSearchParams,
): z.infer<Schema> {
  const input: Record<string, unknown> = {}
  const found: FieldError[] = []
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name)
    const takesMany = name === 'tag'
    if (values.length === 0) continue
    if (values.length > 1 && !takesMany) {
      found.push({ pointer: name, code: 'repeated', detail: `${name} must appear only once.` })
    } else {
      input[name] = takesMany ? values : values[0]
    }
  }
  const result = schema.safeParse(input)
  const wrong = result.success ? [] : fieldErrors(result.error, input, (path) => String(path[0]))
  const errors = [...found, ...wrong].slice(0, problemsMax)
  if (result.success && errors.length === 0) return result.data
  throw validationFailed(errors)
}

/** The problems that a schema finds in the options of a query, a hundred at most. */
export function optionErrors(schema: z.ZodObject, options: Readonly<Record<string, unknown>>): FieldError[] {
  const result = schema.safeParse(options)
  return result.success ? [] : fieldErrors(result.error, options, (path) => String(path[0]))
}
