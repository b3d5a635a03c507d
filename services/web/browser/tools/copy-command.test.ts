import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type CopiedRun, copiedCommand } from './copy-command.js'

const run: CopiedRun = {
  baseUrl: 'https://snip.example',
  tool: 'json-query',
  title: 'Query JSON',
  options: [
    ['path', "$.items[?@.name == 'it''s'] $(rm) `x`"],
    ['final_newline', 'false'],
  ],
  inputFile: "-it's a file.json",
  outputFile: 'it-s-a-file.json',
}

/** The words that a shell makes of a command. */
function wordsOf(command: string): readonly string[] {
  const print = "printf '%s\\0' "
  return execFileSync('sh', ['-c', print + command], { encoding: 'utf8', env: { KEY: 'k' } })
    .split('\0')
    .slice(0, -1)
}

const address =
  'https://snip.example/api/tools/json-query?path=%24.items%5B%3F%40.name+%3D%3D+%27it%27%27s%27%5D+%24%28rm%29+%60x%60&final_newline=false'

describe('a run copied as a command', () => {
  it('for curl keeps every option and name', () => {
    expect(wordsOf(copiedCommand('curl', run))).toEqual([
      ...['curl', '-sS', '--fail-with-body', '-X', 'POST', '-T', "./-it's a file.json", address],
      ...['-H', 'X-API-Key: k'],
    ])
  })

  it('for the command line has a flag for each option', () => {
    expect(wordsOf(copiedCommand('cli', run))).toEqual([
      ...['snipkeep', 'tool', 'json-query', "./-it's a file.json", '--path'],
      ...["$.items[?@.name == 'it''s'] $(rm) `x`", '--no-final-newline'],
    ])
    const switched = { ...run, options: [['guard', 'true'] as const] }
    expect(copiedCommand('cli', switched)).toMatch(/ --guard$/)
  })

  it('for GitHub Actions is valid YAML, in which no name becomes an expression', () => {
    const hostile = { ...run, inputFile: '\u0024{{ secrets.X }}"\n.json' }
    const [convert, keep] = parse(copiedCommand('actions', hostile))
    expect(wordsOf(convert.run.replaceAll("\u0024{{ '\u0024{{' }}", '\u0024{{')).slice(6, 8)).toEqual([
      '\u0024{{ secrets.X }}"\n.json',
      address,
    ])
    expect(JSON.stringify(convert.run)).not.toMatch(/\$\{\{ secrets/)
    expect(keep.with).toMatchObject({ file: 'it-s-a-file.json', tool: 'json-query' })
  })
})
