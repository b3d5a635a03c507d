import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'

let started: CommandLineWithKey
let cli: CommandLine

const files: Readonly<Record<string, string>> = {
  'one.json': '{"items":[{"id":1,"n":1.0},{"id":2,"n":2}],"at":"monday"}',
  'two.json': '{"at":"tuesday","items":[{"id":0,"n":0},{"id":1,"n":1},{"id":2,"n":2}]}',
  'one.csv': 'id,price\n1,1.50\n2,2\n',
  'two.csv': 'id,price,stock\n1,1.75,3\n2,2,4\n',
  'one.txt': 'first\nsecond\nthird\n',
  'two.txt': 'first\nsecond\u001b[31m\nthird\n',
}

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli } = started)
  for (const [name, text] of Object.entries(files)) await writeFile(join(cli.folder, name), text)
})
afterAll(() => started?.stop())

/** Compares without a server, an account or a credential. */
async function diff(args: readonly string[], input = '', more: Readonly<Record<string, string>> = {}) {
  const ran = await cli.run(['diff', ...args], input, { SNIPKEEP_SERVER: '', SNIPKEEP_KEY: '', ...more })
  return { code: ran.code, out: ran.out.toString(), err: ran.err }
}

describe('files', () => {
  it('are compared offline; 0 says equal, 1 different, 2 anything else', async () => {
    expect(await diff(['one.json', 'two.json'])).toEqual({
      code: 1,
      out: '+ /items/0: {"id":0,"n":0}\n~ /items/0/n: 1.0 → 1\n~ /at: "monday" → "tuesday"\n',
      err: '2 changed, 1 added, 0 removed\nitems identified by id: a guess, --key names another\n',
    })
    expect(await diff(['one.json', '-', '--quiet'], files['one.json'])).toEqual({ code: 0, out: '', err: '' })
    for (const args of [
      ['one.json', 'missing.json'],
      ['one.json'],
      ['-', '-'],
      ['one.json', 'two.json', '--format', 'xml'],
      ['one.json', 'two.json', '--ignore', 'at'],
      ['one.json', 'one.txt', '--as', 'json'],
      ['one.json', '@name'],
    ])
      expect((await diff(args)).code, args.join(' ')).toBe(2)
  })

  it('are judged by rules: 0 says same or allowed, 1 breaks, 2 anything else', async () => {
    const [one, two] = ['[{"price":1.00,"v":"1.0"}]', '[{"price":1.005,"v":"1.1"}]']
    const contract = '{"tolerance":[{"path":"/*/price","absolute":"0.01"}],"ignore":["/*/v"]}'
    const written = {
      'p1.json': one,
      'p2.json': two,
      'c.json': contract,
      's.json': '{"items":{"required":["z"]}}',
      'bad.json': '{"items":{"type":"objekt"}}',
    }
    for (const [name, text] of Object.entries(written)) await writeFile(join(cli.folder, name), text)
    const judged = (...rules: readonly string[]) => diff(['p1.json', 'p2.json', ...rules])
    const price = ['--tolerance', '/*/price=0.5%']
    expect(await judged(...price, '--pattern', '/*/v=^\\d\\.\\d$')).toEqual({
      code: 0,
      out: 'allowed: 0 breaks, 2 allowed\n',
      err: '',
    })
    expect(await judged(...price)).toMatchObject({
      code: 1,
      out: 'breaks: 1 break, 1 allowed\nRULE   PLACE  BASELINE  CANDIDATE\nvalue  /0/v   "1.0"     "1.1"\n',
    })
    expect(await judged('--contract', 'c.json')).toMatchObject({ code: 0 })
    expect(await judged('--shape')).toMatchObject({ code: 0, out: 'allowed: 0 breaks, 1 allowed\n' })
    expect((await judged('--schema', 's.json')).out).toMatch(/schema +\/0 .* The member "z" is missing\./)
    expect(JSON.parse((await judged(...price, '--json')).out)).toMatchObject({
      verdict: 'breaks',
      as: 'json',
    })
    expect((await judged('--schema', 'bad.json')).err).toContain('bad.json, at /items/type: ')
    for (const wrong of [
      ['--tolerance', '/*/price'],
      ['--tolerance', '/*/price=x'],
      ['--pattern', '/*/v=(?=x)'],
      ['--contract', 'missing.json'],
      ['--contract', 's.json'],
      ['--contract', 'c.json', '--shape'],
      ['--shape', '--key', 'id'],
      ['--schema', 'one.txt'],
    ])
      expect((await judged(...wrong)).code, wrong.join(' ')).toBe(2)
  })

  it('may be compared by value, with parts left out', async () => {
    const options = ['--numbers', 'value', '--ignore', '/at', '--format', 'summary']
    expect((await diff(['one.json', 'two.json', ...options, '--key', 'id'])).out).toBe(
      '0 changed, 1 added, 0 removed\n',
    )
  })

  it('say which records have moved, and what has changed in them', async () => {
    await writeFile(join(cli.folder, 'moved.csv'), 'id,price\n2,2\n1,1.75\n')
    expect(await diff(['one.csv', 'moved.csv'])).toEqual({
      code: 1,
      out: '> /0 (1) → /1\n~ /0/price (1): 1.50 → 1.75\n',
      err: '1 changed, 0 added, 0 removed, 1 moved\nrows identified by id: a guess, --key names another\n',
    })
    const changes = JSON.parse((await diff(['one.csv', 'moved.csv', '-f', 'changes'])).out).changes
    expect(changes[0]).toEqual({ op: 'move', pointer: '/0', new_pointer: '/1', key: '1' })
  })

  it('may be identified by several columns, and by one --key', async () => {
    await writeFile(join(cli.folder, 'days.csv'), 'day,shop,v\n1,A,10\n1,B,20\n2,A,30\n')
    await writeFile(join(cli.folder, 'days2.csv'), 'day,shop,v\n1,A,10\n1,B,20\n2,A,31\n')
    expect(await diff(['days.csv', 'days2.csv', '--key', 'day,shop'])).toEqual({
      code: 1,
      out: '~ /2/v (["2","A"]): 30 → 31\n',
      err: '1 changed, 0 added, 0 removed\n',
    })
    const twice = await diff(['days.csv', 'days2.csv', '--key', 'day', '--key', 'shop'])
    expect([twice.code, twice.out, twice.err]).toEqual([2, '', expect.stringContaining('only once')])
  })

  it('are not compared by a key that identifies nothing', async () => {
    await writeFile(join(cli.folder, 'same.csv'), 'id,price\n1,2\n1,3\n')
    const missing = await diff(['one.csv', 'two.csv', '--key', 'sku'])
    expect(missing).toEqual({ code: 2, out: '', err: expect.stringContaining('not in both tables') })
    const twice = await diff(['same.csv', 'one.csv', '--key', 'id'])
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('/0 and /1 of the first table')])
    const json = await diff(['one.json', 'two.json', '--key', 'at', '-f', 'json-patch'])
    expect([json.code, json.err]).toEqual([2, expect.stringContaining('identifies the items of no array')])
  })

  it('are compared for programs', async () => {
    const patch = await diff(['one.json', 'two.json', '-f', 'json-patch'])
    expect(JSON.parse(patch.out)).toEqual([
      { op: 'replace', path: '/at', value: 'tuesday' },
      { op: 'replace', path: '/items/0/n', value: 1 },
      { op: 'add', path: '/items/0', value: { id: 0, n: 0 } },
    ])
    expect(await diff(['one.json', 'one.json', '-f', 'json-patch'])).toMatchObject({ code: 0, out: '[]\n' })
    const changes = JSON.parse((await diff(['one.csv', 'two.csv', '-f', 'changes'])).out)
    expect(changes).toMatchObject({
      equal: false,
      as: 'csv',
      summary: { added: 0, removed: 0, changed: 1, moved: 0, columns_added: ['stock'], columns_removed: [] },
      changes: [{ op: 'replace', pointer: '/0/price', from: '1.50', to: '1.75', key: '1', column: 'price' }],
    })
    const picked = await diff(['one.json', 'two.json', '--json=equal'])
    expect(JSON.parse(picked.out)).toEqual({ equal: false })
  })

  it('of text have a unified diff, in colours where they are wanted, which no terminal obeys', async () => {
    const lines = [
      '--- one.txt',
      '+++ two.txt',
      '@@ -1,3 +1,3 @@',
      ' first',
      '-second',
      '+second [31m',
      ' third',
    ]
    expect((await diff(['one.txt', 'two.txt'])).out).toBe(`${lines.join('\n')}\n`)
    const coloured = await diff(['one.txt', 'two.txt'], '', { CLICOLOR_FORCE: '1' })
    expect(coloured.out).toContain('\u001b[31m-second\u001b[39m\n\u001b[32m+second [31m\u001b[39m\n')
  })
})

describe('what is saved', () => {
  it('is compared by name, version, id and address with what it was made of', async () => {
    for (const file of ['one.csv', 'two.csv'])
      expect((await cli.run(['save', file, '--name', 'prices', '-t', 'csv'])).code).toBe(0)
    const listed = await cli.run(['list', '--json=id,name'])
    const [{ id }] = JSON.parse(listed.out.toString())
    const url = (await cli.run(['share', 'two.csv', '--quiet'])).out.toString().trim()
    const shareId = url.split('/').at(-1) ?? ''
    const exits = async (...args: string[]) => (await cli.run(['diff', ...args])).code
    expect(await exits('@prices', 'two.csv')).toBe(0)
    expect(await exits('@prices', 'one.csv')).toBe(1)
    expect(await exits(id, '@prices')).toBe(0)
    expect(await exits('@prices@1', 'one.csv')).toBe(0)
    expect(await exits(`${id}@1`, '@prices')).toBe(1)
    expect(await exits(url, '@prices')).toBe(0)
    expect(await exits(shareId, '@prices')).toBe(0)
    expect(await exits('@prices@9', '@prices')).toBe(2)
    expect(await exits('@prices~1', `${id}~1`)).toBe(0)
    expect(await exits('0'.repeat(22), '@prices')).toBe(2)
  })

  it('is completed by its name', async () => {
    expect((await cli.run(['__complete', '--', 'diff', 'one.csv', '@pr'])).out.toString()).toBe('@prices\n')
    expect((await cli.run(['__complete', '--', 'diff', '--ig'])).out.toString()).toBe('--ignore\n')
  })
})
