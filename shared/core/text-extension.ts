/**
 * What files end in that hold what a name speaks of. Nothing that a browser would run when such a file is opened: markup
 * and scripts are saved as plain text.
 */
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
 * What a file ends in that holds a text which goes under these names, such as a key and a tool: the last word of the first
 * name that says so decides (`csv` for `json-to-csv`), and `txt` is for the rest.
 */
export function textExtension(...names: readonly string[]): string {
  const words = names.map((name) => name.toLowerCase().split(/[^a-z0-9]+/))
  const telling = words.map((some) => some.findLast((word) => extensions.has(word)))
  return extensions.get(telling.find((word) => word !== undefined) ?? '') ?? 'txt'
}
