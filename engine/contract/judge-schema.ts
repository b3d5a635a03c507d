import { CompareError } from '../compare/comparison.js'
import { heldJson } from '../compare/documents.js'
import { valueText } from '../compare/json/json-nodes.js'
import { stepsAtLeast } from '../schema/evaluation.js'
import { pointersTo } from '../schema/pointers-to.js'
import { readSchemaDocuments, type SchemaDocuments } from '../schema/schema-documents.js'
import { SchemaError } from '../schema/schema-error.js'
import { validateValue } from '../schema/validate-value.js'
import { type Contract, ContractError } from './contract.js'
import { type BreakLimits, Findings, shortened } from './findings.js'

/** What judging by a schema takes. */
export interface SchemaJudging {
  readonly contract: Contract
  readonly options: BreakLimits & { readonly schema?: Uint8Array | undefined }
  readonly findings: Findings
}

const encoder = new TextEncoder()
/** How far what a schema does not accept is counted. */
const countMax = 100_000

/** A schema that cannot be used is a mistake in the contract, or in the snippet that it names. */
function refusedSchema({ contract }: SchemaJudging, message: string, pointer: string): ContractError {
  if (contract.schemaSnippet === null) return new ContractError(`/schema${pointer}`, message)
  return new ContractError(
    '/schema/snippet',
    `${message} In the schema: ${pointer === '' ? 'its root' : pointer}.`,
  )
}

/** Reports what a schema does not accept. */
export function judgeSchema(candidate: Uint8Array, schema: Uint8Array, judging: SchemaJudging): void {
  const { findings, options } = judging
  let documents: SchemaDocuments | null = null
  try {
    documents = readSchemaDocuments(candidate, schema)
    if (documents === null) return
    const { nodes } = documents
    const { breaks, count } = validateValue(documents, options.breaksMax ?? 1_000, stepsAtLeast, countMax)
    const pointers = pointersTo(
      nodes,
      0,
      breaks.map(({ node }) => node),
    )
    for (const [at, { node, message }] of breaks.entries())
      findings.add(() => ({
        ...{ pointer: pointers[at] ?? '', rule: 'schema', baseline: null },
        ...{ candidate: shortened(valueText(nodes, node)), message },
      }))
    findings.breakCount += count - breaks.length
  } catch (error) {
    if (error instanceof CompareError && error.document === 'second')
      throw refusedSchema(judging, error.message, '')
    if (!(error instanceof SchemaError) || documents === null) throw error
    throw refusedSchema(
      judging,
      error.message,
      pointersTo(documents.nodes, documents.schema, [error.node])[0] ?? '',
    )
  }
}

/**
 * The schema of a contract; `null` if it has none.
 * @throws ContractError if it names a snippet that is not there.
 */
export function schemaOf({ contract, options }: SchemaJudging): Uint8Array | null {
  if (contract.schema !== null) return encoder.encode(contract.schema)
  if (contract.schemaSnippet === null) return null
  if (options.schema !== undefined) return heldJson(options.schema)
  throw new ContractError('/schema/snippet', 'The snippet that holds the schema is not there.')
}

/**
 * Checks what reading a contract leaves open: its schema.
 * @param schema what the snippet holds that the contract names, if it does.
 * @throws ContractError with the place of the first mistake.
 */
export function checkSchema(contract: Contract, schema: Uint8Array | undefined): void {
  const judging = { contract, options: { breaksMax: 0, schema }, findings: new Findings({ breaksMax: 0 }) }
  const wanted = schemaOf(judging)
  if (wanted !== null) judgeSchema(encoder.encode('null'), wanted, judging)
}
