/** What a part can be shown as, in the order offered. */
export const kinds = [
  'json',
  'jsonc',
  'json5',
  'ndjson',
  'csv',
  'xml',
  'html',
  'yaml',
  'toml',
  'markdown',
  'sql',
  'patch',
  'jwt',
  'image',
  'text',
] as const

/** `diff` compares two members of the data and cannot be chosen for one. */
export type Kind = (typeof kinds)[number] | 'diff'

const kindsByName: Readonly<Record<string, Kind>> = {
  json: 'json',
  jsonc: 'jsonc',
  json5: 'json5',
  geojson: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  jsonlines: 'ndjson',
  csv: 'csv',
  tsv: 'csv',
  xml: 'xml',
  svg: 'xml',
  html: 'html',
  htm: 'html',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  markdown: 'markdown',
  md: 'markdown',
  sql: 'sql',
  patch: 'patch',
  diff: 'patch',
  jwt: 'jwt',
  token: 'jwt',
  image: 'image',
  picture: 'image',
  screenshot: 'image',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
}

function kindOfWord(word: string): Kind | null {
  return Object.hasOwn(kindsByName, word) ? (kindsByName[word] ?? null) : null
}

/** The kind that a member's name stands for, such as `csv`, `csvText` or `values.yaml`. */
export function kindOfName(name: string): Kind | null {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const last = words.at(-1) ?? ''
  return kindOfWord(last) ?? (words.length === 2 && last === 'text' ? kindOfWord(words[0] ?? '') : null)
}

/**
 * What a tool takes and makes, from its name: `json-to-csv` makes CSV from JSON, `sql-formatter` SQL from
 * SQL.
 */
export interface ToolKinds {
  readonly source: Kind | null
  readonly target: Kind | null
  /** The word for its output, such as `tsv`. */
  readonly targetWord: string | null
}

/** The kinds named in a tool's name. */
export function kindsOfTool(tool: string): ToolKinds {
  const words = tool.toLowerCase().split(/[^a-z0-9]+|(?<=[a-z])2(?=[a-z])/)
  const known = words.filter((word) => kindOfWord(word) !== null)
  const [first, last] = [known[0] ?? '', known.at(-1) ?? '']
  return { source: kindOfWord(first), target: kindOfWord(last), targetWord: last === '' ? null : last }
}

const outputNames = new Set(['output', 'result', 'formatted', 'converted'])
const inputNames = new Set(['input', 'source'])

/** Whether a tool's name says what kind this member is: its input or its output. */
export function kindOfRole(name: string, tool: ToolKinds): Kind | null {
  const lower = name.toLowerCase()
  if (outputNames.has(lower)) return tool.target
  return inputNames.has(lower) ? tool.source : null
}
