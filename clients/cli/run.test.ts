import { expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import { commandTable } from './command-table.js'
import { run } from './run.js'
import { testTerminal } from './testing/test-terminal.js'

async function ran(...args: readonly string[]) {
  const { terminal, out, err } = testTerminal(false)
  return { code: await run(args, terminal), out: out(), err: err() }
}

it('help is in groups, and each word says what it is about', async () => {
  const { code, out } = await ran('--help')
  expect(code).toBe(0)
  const headings = out.split('\n').filter((line) => /^[A-Z][a-z]+:( |$)/.test(line))
  expect(headings).toEqual([
    'Usage: snipkeep [options] [command]',
    'Options:',
    'Snippets:',
    'Contracts:',
    'Shares:',
    'Tools:',
    'Account:',
    'Administration:',
    'More:',
    'Examples:',
  ])
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    ` tool [command] Format, check and convert on this machine: ${tools.length} tools `,
  )
  expect(out).not.toMatch(/--help\s*$/)
  for (const word of commandTable.flatMap(({ words }) => words))
    expect(out).toMatch(new RegExp(`\\n {2}${word} [^\\n]*[A-Z][a-z]`))
})

it('the words of the table are those of its commands', async () => {
  for (const { words, load } of commandTable) {
    const first = (await load()).commands.map(({ usage }) => usage.split(' ')[0])
    expect([...new Set(first)].sort()).toEqual([...words].sort())
  }
})

it.each([
  [['lisst'], "Error: unknown command 'lisst'\n(Did you mean list?)\n"],
  [['list', '--foo'], "Error: unknown option '--foo'\n"],
  [['get'], "Error: missing required argument 'id'\n"],
  [['list', '--limit', '0'], 'Error: --limit is a whole number of at least 1.\n'],
])('%j is refused with one spelling', async (args, begin) => {
  const { code, err } = await ran(...args)
  expect([code, err.slice(0, begin.length)]).toEqual([2, begin])
})
