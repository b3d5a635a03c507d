import { type DocumentPair, documentsOf, heldPair } from '../compare/documents.js'
import { looksLikeCsv } from '../csv/looks-like-csv.js'
import { afterSpace } from '../json-bytes/json-bytes.js'
import { isJson } from '../json-bytes/json-scanner.js'
import { isContainer } from '../json-bytes/json-walk.js'
import { stepsOf } from '../json-pointer.js'
import type { Contract } from './contract.js'
import { isNdjson } from './ndjson-array.js'

/** What documents may be judged as. */
export interface JudgedPairs {
  /** As JSON, the likeliest first. */
  readonly json: readonly DocumentPair[]
  /** As lines or rows. */
  readonly text: DocumentPair
  /** Whether the text is a table by its name, whatever it looks like. */
  readonly isTable: boolean
}

/** Whether a path may be one of lines or rows. */
const isOfRows = (path: string): boolean => /^\/(\*|\d+)(\/|$)/.test(path)

/** The paths of a contract but those of the whole document that `keys` has. */
function pathsOf({ ignore, rules, keys }: Contract): readonly string[] {
  const ofKeys = keys.map(([path]) => path).filter((path) => path !== '')
  return [...ignore, ...rules.map(([path]) => path), ...ofKeys]
}

const hasSchema = ({ schema, schemaSnippet }: Contract): boolean => schema !== null || schemaSnippet !== null

/** Whether a contract may be about lines or rows: nothing in it can only be about JSON. */
function fitsText(contract: Contract): boolean {
  return !hasSchema(contract) && contract.compare === 'values' && pathsOf(contract).every(isOfRows)
}

/** Whether a contract names the member that holds a text, so that it is about the document that has it. */
function isAboutHolder(contract: Contract, key: string | null): boolean {
  const isIt = (path: string): boolean => (key === null ? path === '' : stepsOf(path)?.[0] === key)
  return pathsOf(contract).some((path) => !isOfRows(path) && isIt(path))
}

/** What a held text is by itself, as far as it has a shape. */
function kindOf(text: Uint8Array, key: string | null, contract: Contract): 'json' | 'ndjson' | 'csv' | null {
  if (isContainer(text[afterSpace(text, 0)]) && isJson(text)) return 'json'
  if (isNdjson(text)) return isAboutHolder(contract, key) ? null : 'ndjson'
  // Only of tables that are named so, or look so, columns can be told.
  const isTable = looksLikeCsv(text) || (key === 'csv' && contract.compare === 'shape')
  const isForTables = contract.compare === 'shape' || !hasSchema(contract)
  return isTable && isForTables && !isAboutHolder(contract, key) ? 'csv' : null
}

/**
 * What documents may be judged as. A held text that is JSON, NDJSON or CSV is judged as what it is, never by what holds it;
 * other text that both hold in the same way, unless the contract is about JSON.
 */
export function judgedPairs(baseline: Uint8Array, candidate: Uint8Array, contract: Contract): JudgedPairs {
  const held = heldPair(baseline, candidate)
  const kind = held === null ? null : kindOf(held.first, held.key, contract)
  if (held !== null && kind !== null)
    return { json: kind === 'json' ? [held] : [], text: held, isTable: kind === 'csv' }
  const { json, text, bothHold } = documentsOf(baseline, candidate)
  if (bothHold === null || (bothHold.isAlike && fitsText(contract))) return { json, text, isTable: false }
  return { json: [...(bothHold.isAlike ? json : []), bothHold.stored], text, isTable: false }
}
