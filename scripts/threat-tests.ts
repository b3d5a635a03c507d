import type { SourceFile } from './source-files.js'

const link = /\[((?:[^\]\\]|\\.)+)\]\(\.\.\/([^)]+)\)/g
const row = /^\| ([A-Z]\d+) \|/

/** The words of a title, without template placeholders and table escapes. */
function plain(text: string): string {
  return text.replaceAll('\\', '')
}

function problemsOfRow(line: string, id: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const lastCell = line.replace(/\s*\|\s*$/, '').replace(/^.*(?<!\\)\| /, '')
  const tests = [...lastCell.matchAll(link)]
  if (tests.length === 0 && !/^not tested: \S/.test(lastCell))
    return [`${id} names no test; link one, or write "not tested: " and the reason`]
  return tests.flatMap(([, title = '', path = '']) => {
    const text = texts.get(path)
    if (text === undefined) return [`${id} names ${path}, which does not exist`]
    return plain(text).includes(plain(title)) ? [] : [`${id} names "${title}", which is not in ${path}`]
  })
}

/**
 * What is wrong with the table of threats: every row whose first cell is an id must end with links to the
 * tests that cover it, with the test's title as the text and its file, relative to `docs/`, as the target.
 */
export function findThreatProblems(table: string, files: readonly SourceFile[]): readonly string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const rows = table.split('\n').flatMap((line) => {
    const id = row.exec(line)?.[1]
    return id === undefined ? [] : [{ id, line }]
  })
  const twice = rows.filter(({ id }, at) => rows.findIndex((other) => other.id === id) !== at)
  return [
    ...(rows.length === 0 ? ['has no rows'] : []),
    ...twice.map(({ id }) => `${id} is there twice`),
    ...rows.flatMap(({ id, line }) => problemsOfRow(line, id, texts)),
  ].map((problem) => `docs/threats.md: ${problem}`)
}
