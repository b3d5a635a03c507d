/** A JSON object of unknown content. */
type Json = Readonly<Record<string, unknown>>

/** An OpenAPI 3.1 document that refers only to its own schemas. */
export type OpenApiDocument = Json

/** `input`, which callers send, may only get less strict; `output`, which they receive, may only promise more. */
type Direction = 'input' | 'output'

/** Limits of what callers send: larger or smaller values are less strict. */
const upperBounds = ['maxLength', 'maximum', 'maxItems'] as const
const lowerBounds = ['minLength', 'minimum', 'minItems'] as const

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inside, name) => (isJson(inside) ? inside[name] : undefined), value)
}

function objectAt(value: unknown, ...names: readonly string[]): Json {
  const found = member(value, ...names)
  return isJson(found) ? found : {}
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name)
  return Array.isArray(found) ? found : []
}

function valuesAt(value: unknown, name: string): readonly string[] {
  const found = member(value, name)
  const list = Array.isArray(found) ? found : found === undefined ? [] : [found]
  return list.map((one) => JSON.stringify(one))
}

function without(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((one) => !others.includes(one))
}

/**
 * Compares the schemas of two documents, and returns a line for each change that breaks callers of the older one. A
 * response may always get new enum values, such as statuses or codes.
 */
function schemaChanges(older: OpenApiDocument, newer: OpenApiDocument) {
  const resolve = (document: OpenApiDocument, schema: unknown): unknown => {
    const reference = member(schema, '$ref')
    if (typeof reference !== 'string') return schema
    return resolve(document, member(document, ...reference.slice(2).split('/')))
  }
  const alternatives = (schema: unknown): readonly unknown[] =>
    [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].length === 0
      ? [schema]
      : [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]

  function choices(before: unknown, after: unknown, direction: Direction, where: string): readonly string[] {
    const [wanted, offered] = direction === 'input' ? [before, after] : [after, before]
    return alternatives(wanted).flatMap((one) => {
      const found = alternatives(offered).map((other) =>
        direction === 'input' ? compare(one, other, direction, where) : compare(other, one, direction, where),
      )
      return found.some((problems) => problems.length === 0) ? [] : (found[0] ?? [`${where} is gone`])
    })
  }

  function properties(
    before: unknown,
    after: unknown,
    direction: Direction,
    where: string,
  ): readonly string[] {
    const now = objectAt(after, 'properties')
    const [wereRequired, areRequired] = [valuesAt(before, 'required'), valuesAt(after, 'required')]
    const required =
      direction === 'input'
        ? without(areRequired, wereRequired).map((name) => `${where} now needs ${name}`)
        : without(wereRequired, areRequired).map((name) => `${where} may now lack ${name}`)
    const each = Object.entries(objectAt(before, 'properties')).flatMap(([name, schema]) =>
      now[name] === undefined
        ? [`${where}.${name} is gone`]
        : compare(schema, now[name], direction, `${where}.${name}`),
    )
    return [...required, ...each]
  }

  function bounds(before: unknown, after: unknown, where: string): readonly string[] {
    const narrowed = (name: string, isNarrower: (was: number, is: number) => boolean): string[] => {
      const [was, is] = [member(before, name), member(after, name)]
      const tighter = typeof is === 'number' && (typeof was !== 'number' || isNarrower(was, is))
      return tighter ? [`${where}: ${name} is now ${is}`] : []
    }
    const [pattern, wasPattern] = [member(after, 'pattern'), member(before, 'pattern')]
    return [
      ...upperBounds.flatMap((name) => narrowed(name, (was, is) => is < was)),
      ...lowerBounds.flatMap((name) => narrowed(name, (was, is) => is > was)),
      ...(pattern !== undefined && pattern !== wasPattern ? [`${where}: the pattern has changed`] : []),
      ...without(valuesAt(before, 'enum'), valuesAt(after, 'enum')).flatMap((value) =>
        member(after, 'enum') === undefined ? [] : [`${where} no longer takes ${value}`],
      ),
    ]
  }

  function compare(one: unknown, other: unknown, direction: Direction, where: string): readonly string[] {
    const [before, after] = [resolve(older, one), resolve(newer, other)]
    if (alternatives(before)[0] !== before || alternatives(after)[0] !== after)
      return choices(before, after, direction, where)
    const [were, are] = [valuesAt(before, 'type'), valuesAt(after, 'type')]
    const lost = direction === 'input' ? without(were, are) : without(are, were)
    const isFree = (direction === 'input' ? are : were).length === 0
    return [
      ...(lost.length === 0 || isFree ? [] : [`${where} was ${were.join('|')} and is ${are.join('|')}`]),
      ...properties(before, after, direction, where),
      ...(direction === 'input' ? bounds(before, after, where) : []),
      ...(member(before, 'items') === undefined
        ? []
        : compare(member(before, 'items'), member(after, 'items'), direction, `${where}[]`)),
    ]
  }

  return compare
}

function parameterKey(parameter: unknown): string {
  return `${String(member(parameter, 'in'))} ${String(member(parameter, 'name'))}`
}

/**
 * Returns a line for each change that breaks callers of `older`: removed operations, parameters, fields, types and
 * values, and anything that is now required.
 */
export function breakingChanges(older: OpenApiDocument, newer: OpenApiDocument): readonly string[] {
  const compare = schemaChanges(older, newer)

  function parameterChanges(before: Json, after: Json, where: string): readonly string[] {
    const then = new Map(listAt(before, 'parameters').map((one) => [parameterKey(one), one]))
    const now = new Map(listAt(after, 'parameters').map((one) => [parameterKey(one), one]))
    const needed = [...now].filter(
      ([key, one]) => member(one, 'required') === true && member(then.get(key), 'required') !== true,
    )
    return [
      ...needed.map(([key]) => `${where} now needs ${key}`),
      ...[...then].flatMap(([key, one]) =>
        now.has(key)
          ? compare(member(one, 'schema'), member(now.get(key), 'schema'), 'input', `${where} ${key}`)
          : [`${where} ${key} is gone`],
      ),
    ]
  }

  function contentChanges(before: Json, after: Json, direction: Direction, where: string): readonly string[] {
    return Object.entries(before).flatMap(([mediaType, content]) =>
      after[mediaType] === undefined
        ? [`${where} ${mediaType} is gone`]
        : compare(member(content, 'schema'), member(after[mediaType], 'schema'), direction, where),
    )
  }

  function responseChanges(before: Json, after: Json, where: string): readonly string[] {
    const successes = Object.entries(objectAt(before, 'responses')).filter(([status]) => /^[23]/.test(status))
    return successes.flatMap(([status, response]) => {
      const now = member(after, 'responses', status)
      if (now === undefined) return [`${where} no longer returns ${status}`]
      const headers = without(
        Object.keys(objectAt(response, 'headers')),
        Object.keys(objectAt(now, 'headers')),
      )
      return [
        ...headers.map((name) => `${where} ${status} has no ${name} any more`),
        ...contentChanges(
          objectAt(response, 'content'),
          objectAt(now, 'content'),
          'output',
          `${where} ${status}`,
        ),
      ]
    })
  }

  return Object.entries(objectAt(older, 'paths')).flatMap(([path, item]) =>
    Object.entries(isJson(item) ? item : {}).flatMap(([method, operation]) => {
      const where = `${method.toUpperCase()} ${path}`
      const now = member(newer, 'paths', path, method)
      if (!isJson(operation) || !isJson(now)) return [`${where} is gone`]
      const schemes = without(valuesAt(operation, 'security'), valuesAt(now, 'security'))
      const [body, bodyNow] = [objectAt(operation, 'requestBody'), objectAt(now, 'requestBody')]
      return [
        ...schemes.map((scheme) => `${where} no longer takes ${scheme}`),
        ...parameterChanges(operation, now, where),
        ...contentChanges(objectAt(body, 'content'), objectAt(bodyNow, 'content'), 'input', `${where} body`),
        ...responseChanges(operation, now, where),
      ]
    }),
  )
}
