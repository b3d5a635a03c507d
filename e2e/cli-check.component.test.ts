import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandLine } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'
import type { SystemInProcess } from './harness/system-in-process.js'

const rules = '{"tolerance": [{"path": "/*/price", "relative": "1%"}], "keys": {"": ["sku"]}}\n'

let started: CommandLineWithKey
let cli: CommandLine
let system: SystemInProcess
/** Whoever signed in, who may approve. */
let owner: Readonly<Record<string, string>>

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli, system } = started)
  owner = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await system.issuer.token('mia') }
})
afterAll(() => started?.stop())

/** Checks a table of prices, with the key of a job. */
async function check(name: string, price: string, ...more: readonly string[]) {
  await writeFile(join(cli.folder, 'prices.csv'), `sku,price\na,1.00\nb,${price}\n`)
  const { code, out, err } = await cli.run(['check', 'prices.csv', '--against', name, ...more])
  return { code, out: out.toString(), err, lines: out.toString().trimEnd().split('\n') }
}

it('an output is new, approved, the same, allowed, breaks, and passes once it is approved', async () => {
  const first = await check('@prices', '200.00')
  expect([first.code, first.lines[0]]).toEqual([
    0,
    expect.stringMatching(/^new: no snippet is called @prices yet; /),
  ])
  expect(first.err).toContain('It waits for approval')
  const url = first.lines.at(-1) ?? ''
  expect((await cli.run(['approve', url])).code).toBe(1)
  const approved = await cli.run(['approve', url, '--note', 'the first'], '', owner)
  expect([approved.code, approved.out.toString(), approved.err]).toEqual([
    0,
    '1\n',
    'Approved "prices.csv".\n',
  ])
  await writeFile(join(cli.folder, 'rules.json'), rules)
  expect((await cli.run(['contract', 'set', '@prices', 'rules.json'])).code).toBe(1)
  expect((await cli.run(['contract', 'set', '@prices', 'rules.json'], '', owner)).code).toBe(0)
  expect((await cli.run(['contract', 'show', '@prices'])).out.toString()).toBe(rules)

  const same = await check('@prices', '200.00')
  expect([same.code, same.lines[0], same.err]).toEqual([
    0,
    'same: 0 breaks, 0 allowed',
    'Version 1 has these bytes.\n',
  ])
  const allowed = await check('@prices', '201.00', '--accept', 'allowed')
  expect([allowed.code, allowed.lines[0], allowed.err]).toEqual([
    0,
    'allowed: 0 breaks, 1 allowed',
    'It is version 2 now.\n',
  ])
  const broken = await check('@prices', '250.00', '--accept', 'allowed')
  expect([broken.code, broken.lines.slice(0, 3)]).toEqual([
    1,
    [
      'breaks: 1 break, 0 allowed',
      'RULE       PLACE     BASELINE  CANDIDATE',
      'tolerance  /1/price  201.00    250.00',
    ],
  ])
  expect((await cli.run(['approve', broken.lines.at(-1) ?? ''], '', owner)).out.toString()).toBe('3\n')
  expect((await check('@prices', '250.00')).code).toBe(0)
  expect((await cli.run(['get', '@prices', '-p', '/csv'])).out.toString()).toContain('b,250.00')
})

it('a rejected output and one that was decided before say so', async () => {
  await cli.run(['save', '-t', 'csv', '--name', 'list'], 'sku,price\na,1.00\nb,2.00\n')
  const [head, , , url = ''] = (await check('@list', '3.00')).lines
  expect(head).toBe('breaks: 1 break, 0 allowed; @list has no contract, so every difference breaks')
  const rejected = await cli.run(['reject', url, '--note', 'no', '--json=state,note'], '', owner)
  expect(JSON.parse(rejected.out.toString())).toEqual({ state: 'rejected', note: 'no' })
  const again = await cli.run(['approve', url], '', owner)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('[check_decided]')])
})

it('mistakes in rules are named, and a contract can be removed', async () => {
  await cli.run(['save', '-t', 'csv', '--name', 'ruled'], 'sku,price\na,1.00\n')
  const set = (text: string) => cli.run(['contract', 'set', '@ruled', '-'], text, owner)
  const wrong = await set('{"tolerance": [{"path": "price", "absolute": "1"}]}')
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('/tolerance/0/path')])
  expect((await set('{"schema": {"maximum": 1.10}}')).code).toBe(0)
  const shown = await cli.run(['contract', 'show', '@ruled'])
  expect(shown.out.toString()).toBe('{"schema": {"maximum": 1.10}}\n')
  expect((await cli.run(['contract', 'rm', '@ruled'], '', owner)).code).toBe(0)
  expect((await cli.run(['contract', 'show', '@ruled'])).code).toBe(5)
})

it('the key of a job cannot go around a contract, and one that may approve can decide', async () => {
  const save = () => cli.run(['save', '-t', 'csv', '--name', 'guarded'], `sku,price\na,${Math.random()}\n`)
  await save()
  expect((await cli.run(['contract', 'set', '@guarded', '-'], '{}', owner)).code).toBe(0)
  const refused = await save()
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[approval_required]')])
  const created = await cli.run(['key', 'create', 'reviewer', '--scope', 'approve'], '', owner)
  const reviewer = { SNIPKEEP_KEY: created.out.toString().trim() }
  const url = (await check('@guarded', '9.00')).lines.at(-1) ?? ''
  expect((await cli.run(['approve', url], '', reviewer)).out.toString()).toBe('2\n')
  expect((await cli.run(['get', '@guarded'], '', reviewer)).code).toBe(1)
})

it('an output that is not there, or no snippet of that id, ends with 2', async () => {
  expect((await check('0000000000000000000000', '1.00')).code).toBe(2)
  expect((await cli.run(['check', 'none.csv', '--against', '@prices'])).code).toBe(2)
})
