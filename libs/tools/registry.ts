import { csvFormat } from './csv/csv-format.js'
import { csvToJson } from './csv/csv-to-json.js'
import { jsonToCsv } from './csv/json-to-csv.js'
import { jsonFormat } from './json/json-format.js'
import { jsonMinify } from './json/json-minify.js'
import { jsonQuery } from './json/json-query.js'
import { jsonRepair } from './json/json-repair.js'
import { jsonSortKeys } from './json/json-sort-keys.js'
import { jsonToNdjson } from './json/json-to-ndjson.js'
import { jsonValidate } from './json/json-validate.js'
import { ndjsonToJson } from './json/ndjson-to-json.js'
import type { ToolDescription } from './tool.js'

/** Every tool, in the order in which they are listed. */
export const tools: readonly ToolDescription[] = [
  jsonFormat,
  jsonMinify,
  jsonValidate,
  jsonRepair,
  jsonSortKeys,
  jsonQuery,
  jsonToCsv,
  csvToJson,
  jsonToNdjson,
  ndjsonToJson,
  csvFormat,
]

const byName: ReadonlyMap<string, ToolDescription> = new Map(tools.map((tool) => [tool.name, tool]))

/** The tool of this name. */
export function findTool(name: string): ToolDescription | null {
  return byName.get(name) ?? null
}
