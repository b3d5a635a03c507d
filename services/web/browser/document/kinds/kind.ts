/** Programming languages, whose texts are only coloured. */
export const languages = [
  'javascript',
  'typescript',
  'python',
  'java',
  'go',
  'rust',
  'cpp',
  'php',
  'css',
] as const

export type Language = (typeof languages)[number]

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
  ...languages,
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

/** The extensions of files in a language, beside its name. */
const languagesByExtension: Readonly<Record<string, Language>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  c: 'cpp',
  h: 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  ...Object.fromEntries(languages.map((language) => [language, language])),
}

/** Whether a text of this kind is only coloured. */
export function isLanguage(kind: Kind): kind is Language {
  return (languages as readonly Kind[]).includes(kind)
}

/**
 * The language that a member holds: it is named like a file, such as `main.py`, or like its tool. `go` and `c` alone are
 * names of fields as well.
 */
export function languageOf(name: string, tool: string): Language | null {
  const lower = name.toLowerCase()
  const extension = /\.([a-z]{1,16})$/.exec(lower)?.[1]
  const word =
    extension ??
    (lower ===
    tool
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .at(-1)
      ? lower
      : '')
  return Object.hasOwn(languagesByExtension, word) ? (languagesByExtension[word] ?? null) : null
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
