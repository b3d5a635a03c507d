import { csvFormat } from './csv/csv-format.js'
import { csvToJson } from './csv/csv-to-json.js'
import { jsonToCsv } from './csv/json-to-csv.js'
import { base64Decode } from './encoding/base64-decode.js'
import { base64Encode } from './encoding/base64-encode.js'
import { hash } from './encoding/hash.js'
import { jwtDecode } from './encoding/jwt-decode.js'
import { urlDecode } from './encoding/url-decode.js'
import { urlEncode } from './encoding/url-encode.js'
import { jsonFormat } from './json/json-format.js'
import { jsonMinify } from './json/json-minify.js'
import { jsonQuery } from './json/json-query.js'
import { jsonRepair } from './json/json-repair.js'
import { jsonSortKeys } from './json/json-sort-keys.js'
import { jsonToNdjson } from './json/json-to-ndjson.js'
import { jsonValidate } from './json/json-validate.js'
import { ndjsonToJson } from './json/ndjson-to-json.js'
import { sqlFormat } from './sql/sql-format.js'
import type { ToolDescription } from './tool.js'
import { jsonSchemaInfer } from './types/json-schema-infer.js'
import { jsonSchemaValidate } from './types/json-schema-validate.js'
import { jsonToTypescript } from './types/json-to-typescript.js'
import { jsonToXml } from './xml/json-to-xml.js'
import { xmlFormat } from './xml/xml-format.js'
import { xmlMinify } from './xml/xml-minify.js'
import { xmlToJson } from './xml/xml-to-json.js'
import { jsonToYaml } from './yaml/json-to-yaml.js'
import { yamlFormat } from './yaml/yaml-format.js'
import { yamlToJson } from './yaml/yaml-to-json.js'

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
  jsonSchemaInfer,
  jsonSchemaValidate,
  jsonToTypescript,
  jsonToYaml,
  yamlToJson,
  yamlFormat,
  jsonToXml,
  xmlToJson,
  xmlFormat,
  xmlMinify,
  sqlFormat,
  base64Encode,
  base64Decode,
  urlEncode,
  urlDecode,
  jwtDecode,
  hash,
]

const byName: ReadonlyMap<string, ToolDescription> = new Map(tools.map((tool) => [tool.name, tool]))

/** The tool of this name. */
export function findTool(name: string): ToolDescription | null {
  return byName.get(name) ?? null
}
