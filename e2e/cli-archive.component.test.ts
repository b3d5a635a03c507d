import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startJsonServer } from '#libs/testing/json-server.js'
import type { CommandLine } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'
import type { SystemInProcess } from './harness/system-in-process.js'

let started: CommandLineWithKey
let cli: CommandLine
let system: SystemInProcess

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli, system } = started)
})
afterAll(() => started?.stop())

it('everything is exported into one file that only its owner can read, and imported again without a change', async () => {
  await cli.run(['save', '-t', 'csv', '--name', 'kept', '--title', 'Kept'], 'a,b\n1,2\n')
  const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
  await cli.run(['share', '-t', 'csv', '--expires', '1d', '--allow-secrets'], `a\n${token}\n`)
  await writeFile(join(cli.folder, 'locked.csv'), 'a\n1\n')
  await cli.run(['share', 'locked.csv', '--expires', '1d', '--password-stdin'], 'open sesame')
  const exported = await cli.run(['export', '-o', 'all.tar.gz'])
  expect([exported.code, exported.out.toString()]).toEqual([0, 'all.tar.gz\n'])
  const { mode } = await stat(join(cli.folder, 'all.tar.gz'))
  expect(mode & 0o077).toBe(0)
  const other = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await system.issuer.token('newcomer') }
  const dry = await cli.run(['import', 'archive', 'all.tar.gz', '--dry-run'], '', other)
  expect(dry.out.toString()).toMatch(
    /^\d+ created, 0 existed, 1 skipped, 0 refused \(nothing was stored\)\n$/,
  )
  const lines = dry.err.split('\n').filter((line) => line.startsWith('data/shares/'))
  expect(lines.map((line) => line.replace(/^\S+: /, '')).toSorted()).toEqual([
    'holds a GitHub token (ghp_…Lq17) at /csv',
    expect.stringMatching(/^skipped: archives contain no passwords/),
  ])
  expect((await cli.run(['get', '@kept'], '', other)).code).toBe(5)
  expect((await cli.run(['import', 'archive', 'all.tar.gz'], '', other)).code).toBe(0)
  expect((await cli.run(['get', '@kept', '-p', '/csv'], '', other)).out.toString()).toBe('a,b\n1,2\n')
  const again = await cli.run(['import', 'archive', 'all.tar.gz', '--json'], '', other)
  expect(JSON.parse(again.out.toString()).summary).toMatchObject({ created: 0, refused: 0 })
  const cut = (await readFile(join(cli.folder, 'all.tar.gz'))).subarray(0, 200)
  await writeFile(join(cli.folder, 'cut.tar.gz'), cut)
  const refused = await cli.run(['import', 'archive', 'cut.tar.gz'], '', other)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[archive_incomplete]')])
})

it('get -o follows no link, keeps what is there, and writes a file for its owner alone', async () => {
  await cli.run(['save', '-t', 'csv', '--name', 'mine'], 'a\n1\n')
  await writeFile(join(cli.folder, 'victim.txt'), 'victim')
  await symlink('victim.txt', join(cli.folder, 'report.csv.part'))
  expect((await cli.run(['get', '@mine', '-p', '/csv', '-o', 'report.csv'])).code).toBe(0)
  expect(await readFile(join(cli.folder, 'report.csv'), 'utf8')).toBe('a\n1\n')
  expect(await readFile(join(cli.folder, 'victim.txt'), 'utf8')).toBe('victim')
  await rm(join(cli.folder, 'report.csv.part'))
  const { mode } = await stat(join(cli.folder, 'report.csv'))
  expect(mode & 0o077).toBe(0)
})

it('an export replaces no file that it has not been given', async () => {
  await writeFile(join(cli.folder, 'mine.tar.gz.part'), 'mine')
  expect((await cli.run(['export', '-o', 'mine.tar.gz'])).code).toBe(0)
  expect(await readFile(join(cli.folder, 'mine.tar.gz.part'), 'utf8')).toBe('mine')
  const [first, second] = [await cli.run(['export']), await cli.run(['export'])]
  const names = [first, second].map(({ out }) => out.toString().trim())
  expect(names).toEqual([
    expect.stringMatching(/^snipkeep-[\d-]{10}\.tar\.gz$/),
    expect.stringMatching(/^snipkeep-[\d-]{10}(-2)?\.tar\.gz$/),
  ])
  expect(names[0]).not.toBe(names[1])
  for (const name of names) {
    const { mode, size } = await stat(join(cli.folder, name))
    expect([mode & 0o077, size > 100]).toEqual([0, true])
  }
  expect((await readdir(cli.folder)).filter((name) => name.endsWith('.part'))).toEqual(['mine.tar.gz.part'])
})

it('what other services hold is saved under names, and a second run changes nothing', async () => {
  const fixtureOf = async (service: string) =>
    JSON.parse(await readFile(`clients/cli/imports/fixtures/${service}.json`, 'utf8')) as {
      response: object
      url?: string
    }[]
  const gists = await fixtureOf('gist')
  const [paste] = await fixtureOf('privatebin')
  const served = await startJsonServer((path) => {
    if (path.startsWith('/users/octocat/gists')) return gists.map(({ response }) => response)
    if (path.startsWith('/bin/')) return paste?.response
    if (path.startsWith('/raw/')) return { whole: true }
    const found = gists.find(({ response }) => path === `/gists/${Reflect.get(response, 'id')}`)?.response
    const text = JSON.stringify(found).replaceAll(
      'https://gist.githubusercontent.com/sam/x',
      `${served.url}/raw`,
    )
    return JSON.parse(text)
  })
  try {
    const env = { GITHUB_API_URL: served.url }
    const first = await cli.run(['import', 'gist', '--user', 'octocat'], '', env)
    expect([first.code, first.out.toString()]).toEqual([0, '5 saved, 0 unchanged\n'])
    const second = await cli.run(['import', 'gist', '--user', 'octocat'], '', env)
    expect(second.out.toString()).toBe('0 saved, 5 unchanged\n')
    const csv = await cli.run(['get', '@import-gist-2decf6c462d9b4418f2cde0ff1a1a1a1', '-p', '/team.csv'])
    expect(csv.out.toString()).toBe('name,role\nAda,engineer\n')
    const whole = await cli.run(['get', '@import-gist-b0b0b0b0b0b0b0b0b0b0', '-p', '/rows.ndjson'])
    expect(whole.out.toString()).toBe('{"whole":true}')
    const url = paste?.url?.replace('https://bin.example/', `${served.url}/bin/`) ?? ''
    expect((await cli.run(['import', 'privatebin', url])).out.toString()).toBe('1 saved, 0 unchanged\n')
  } finally {
    await served.stop()
  }
  const [one] = await fixtureOf('bytestash')
  await writeFile(join(cli.folder, 'stash.json'), JSON.stringify(one?.response))
  expect((await cli.run(['import', 'bytestash', 'stash.json'])).out.toString()).toBe('1 saved, 0 unchanged\n')
  const listed = await cli.run(['list', '--tag', 'reports', '--json=name,tool'])
  expect(JSON.parse(listed.out.toString())).toEqual([{ name: 'import-bytestash-1', tool: 'sql' }])
  await writeFile(join(cli.folder, 'wrong.json'), '{"message":"Not Found"}')
  const wrong = await cli.run(['import', 'bytestash', 'wrong.json'])
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('snippets must be a list')])
  expect((await cli.run(['import', 'pastebin', 'x'])).code).toBe(2)
})
