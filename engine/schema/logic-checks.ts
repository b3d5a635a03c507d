import type { Check, CompiledSchema, Evaluation, SchemaSource } from './evaluation.js'
import { childrenAt } from './value-nodes.js'

function allOf(schemas: readonly CompiledSchema[]): Check {
  return (evaluation, value) => {
    let isAccepted = true
    for (const schema of schemas) isAccepted = evaluation.accepts(schema, value) && isAccepted
    return isAccepted
  }
}

/** How many schemas accept the value; no more are tried than are needed. */
function countFits(
  evaluation: Evaluation,
  schemas: readonly CompiledSchema[],
  value: number,
  enough: number,
): number {
  let count = 0
  for (const schema of schemas) {
    if (evaluation.fits(schema, value)) count += 1
    if (count === enough && !evaluation.isComplete) break
  }
  return count
}

/** What has only one schema says why it refuses a value. */
function anyOf(keyword: number, schemas: readonly CompiledSchema[]): Check {
  const [only, ...more] = schemas
  if (only !== undefined && more.length === 0) return (evaluation, value) => evaluation.accepts(only, value)
  return (evaluation, value) =>
    countFits(evaluation, schemas, value, 1) > 0 ||
    evaluation.report(value, keyword, `None of the ${schemas.length} schemas of anyOf accepts this.`)
}

function oneOf(keyword: number, schemas: readonly CompiledSchema[]): Check {
  return (evaluation, value) => {
    const mark = evaluation.evaluated.length
    const count = countFits(evaluation, schemas, value, 2)
    if (count === 1) return true
    evaluation.evaluated.length = mark
    const found = count === 0 ? `None of the ${schemas.length}` : 'More than one of the'
    return evaluation.report(value, keyword, `${found} schemas of oneOf accepts this.`)
  }
}

function not(keyword: number, schema: CompiledSchema): Check {
  return (evaluation, value) => {
    const mark = evaluation.evaluated.length
    const isAccepted = evaluation.fits(schema, value)
    evaluation.evaluated.length = mark
    return !isAccepted || evaluation.report(value, keyword, 'The schema of not accepts this.')
  }
}

function condition(
  test: CompiledSchema,
  then: CompiledSchema | null,
  otherwise: CompiledSchema | null,
): Check {
  return (evaluation, value) => {
    const next = evaluation.fits(test, value) ? then : otherwise
    return next === null || evaluation.accepts(next, value)
  }
}

/** The keywords that combine schemas. */
export function logicChecks({ nodes, members, schemaAt }: SchemaSource): readonly Check[] {
  const checks: Check[] = []
  const lists = { allOf: (_at: number, of: readonly CompiledSchema[]) => allOf(of), anyOf, oneOf }
  for (const [keyword, make] of Object.entries(lists)) {
    const at = members.get(keyword)
    if (at !== undefined) checks.push(make(at, [...childrenAt(nodes, at)].map(schemaAt)))
  }
  const one = (keyword: string): CompiledSchema | null => {
    const at = members.get(keyword)
    return at === undefined ? null : schemaAt(at)
  }
  const [refused, test] = [one('not'), one('if')]
  if (refused !== null) checks.push(not(refused.node, refused))
  if (test !== null) checks.push(condition(test, one('then'), one('else')))
  return checks
}
