import { SchemaCompiler } from './compile-schema.js'
import { Evaluation, endless, type SchemaBreak, stepsAtLeast } from './evaluation.js'
import type { SchemaDocuments } from './schema-documents.js'
import { SchemaError } from './schema-error.js'

/** What a schema refuses of a value. */
export interface Validation {
  /** In the order of the value. */
  readonly breaks: readonly SchemaBreak[]
  /** Whether there are more. */
  readonly truncated: boolean
  /** How many there are; at least so many, if that is as far as was counted, or took all steps. */
  readonly count: number
}

/**
 * Validates a value by JSON Schema 2020-12. Numbers are decimals of any size, formats are notes, and nothing is fetched.
 * @param stepsMin that may be taken, and more for each value.
 * @param countMax how far breaks are counted, more than those that are kept.
 * @throws SchemaError if the schema is none, needs what is not there, or would take too many steps.
 */
export function validateValue(
  documents: SchemaDocuments,
  breaksMax: number,
  stepsMin = stepsAtLeast,
  countMax = breaksMax + 1,
): Validation {
  const { nodes, schema, value } = documents
  const compiler = new SchemaCompiler(documents)
  compiler.compileAll()
  const evaluation = new Evaluation(nodes, stepsMin, breaksMax, countMax)
  try {
    evaluation.accepts(compiler.at(schema), value)
  } catch (error) {
    // Some keywords take more of the stack for each level than others.
    if (error instanceof RangeError) throw endless(schema)
    const isCounting = evaluation.breakCount > breaksMax
    if (!isCounting || !(error instanceof SchemaError) || error.code !== 'schema_too_costly') throw error
  }
  return {
    breaks: evaluation.breaks.sort((one, other) => one.node - other.node),
    truncated: evaluation.breakCount > evaluation.breaks.length,
    count: evaluation.breakCount,
  }
}
