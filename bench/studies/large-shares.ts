const head = '{"tool":"bench","title":"Large","data":'
/** A little below Pro's limit for `data`. */
const bytes = 52_000_000

/** A body whose `data` is `first`, as many rows as fit, and `last`. */
function* repeated(first: string, rowOf: (row: number) => string, last: string): Generator<Buffer> {
  yield Buffer.from(head + first)
  let left = bytes - first.length - last.length
  for (let row = 0; left > 0; ) {
    let block = ''
    for (; block.length < 65_536 && left - block.length > 0; row += 1) block += rowOf(row)
    left -= block.length
    yield Buffer.from(block)
  }
  yield Buffer.from(`${last}}`)
}

/** The same with the rows as lines of one string member. */
function lines(member: string, first: string, rowOf: (row: number) => string, last = ''): Generator<Buffer> {
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)
  return repeated(`{"${member}":"${escaped(first)}`, (row) => escaped(rowOf(row)), `${escaped(last)}"}`)
}

const object = (row: number): string => `{"id":${row},"name":"Item ${row}","price":${row % 1_000}.25}`

/** Two sides that differ in every thousandth line. */
function* twoSides(): Generator<Buffer> {
  const side = (mark: string): string => {
    let text = ''
    for (let row = 0; text.length < bytes / 2; row += 1)
      text += `line ${row} ${row % 1_000 === 0 ? mark : ''}\\n`
    return text
  }
  yield Buffer.from(`${head}{"left":"${side('old')}","right":"`)
  yield Buffer.from(`${side('new')}"}}`)
}

/** Request bodies for shares just below 50 MB, at least one of each kind. */
export const largeShares: Readonly<Record<string, () => Generator<Buffer>>> = {
  'an array of objects': () =>
    repeated('{"items":[{"id":0,"name":"first","price":0.5}', (row) => `,${object(row)}`, ']}'),
  'nested objects': () =>
    repeated(
      '{"a":{}',
      (row) => `,"key ${row}":{"list":[${row},[],{}],"text":"line\\nbreak","none":null}`,
      '}',
    ),
  'JSON in a string': () => lines('input', '[{}', (row) => `,${object(row)}`, ']'),
  NDJSON: () => lines('log', '', (row) => `${object(row)}\n`),
  CSV: () => lines('csv', 'id,name,price\n', (row) => `${row},Item ${row},${row % 1_000}.25\n`),
  XML: () =>
    lines('xml', '<items>', (row) => `<item id="${row}"><name>Item ${row}</name></item>`, '</items>'),
  HTML: () => lines('html', '<!doctype html><body>', (row) => `<p class="row">Row <b>${row}</b></p>`),
  YAML: () => lines('yaml', '', (row) => `key${row}: {id: ${row}, name: "Item"}\n`),
  TOML: () => lines('toml', '', (row) => `[item${row}]\nid = ${row}\n`),
  Markdown: () => lines('markdown', '# Large\n', (row) => `\n## Row ${row}\n\n*text* of **it**\n`),
  SQL: () => lines('sql', '', (row) => `INSERT INTO item (id, name) VALUES (${row}, 'Item ${row}');\n`),
  'a patch': () =>
    lines(
      'patch',
      'diff --git a/list b/list\n--- a/list\n+++ b/list\n',
      (row) => `@@ -${3 * row + 1},2 +${3 * row + 1},2 @@\n line\n-old ${row}\n+new ${row}\n`,
    ),
  'two sides': twoSides,
  'a JWT': () => lines('jwt', 'eyJhbGciOiJub25lIn0.', () => 'QUJD', '.'),
  'a picture': () => lines('image', 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg', () => 'AAAA'),
  'one line of text': () => lines('text', '', () => 'The quick brown fox jumps over the lazy dog. '),
}
