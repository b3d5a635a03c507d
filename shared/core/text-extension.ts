/** File extensions by name. None that a browser would execute: markup and scripts are saved as plain text. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['sql', 'sql'],
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['toml', 'toml'],
  ['ini', 'ini'],
  ['md', 'md'],
  ['markdown', 'md'],
  ['log', 'log'],
  ['html', 'txt'],
  ['xml', 'txt'],
  ['svg', 'txt'],
])

/**
 * The file extension of a text with these names, such as a key and a tool: the last word of the first name that is
 * known decides (`csv` for `json-to-csv`); `txt` is the default.
 */
export function textExtension(...names: readonly string[]): string {
  const words = names.map((name) => name.toLowerCase().split(/[^a-z0-9]+/))
  const telling = words.map((some) => some.findLast((word) => extensions.has(word)))
  return extensions.get(telling.find((word) => word !== undefined) ?? '') ?? 'txt'
}

/**
 * A file name with this extension, which is added unless the name already ends with it, or with another spelling of it:
 * `orders.csv` stays, and so does `values.yml` as YAML. A name of text that a browser would run always gets one.
 */
export function withExtension(name: string, extension: string): string {
  const own = /[^.]\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const hasIt = own === extension || (extension !== 'txt' && extensions.get(own) === extension)
  return hasIt ? name : `${name}.${extension}`
}
