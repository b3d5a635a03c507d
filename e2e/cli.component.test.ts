import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandLine } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'
import type { SystemInProcess } from './harness/system-in-process.js'

const csv = 'name,role\r\nAda,"engineer"\n'

let started: CommandLineWithKey
let cli: CommandLine
let system: SystemInProcess

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli, system } = started)
})
afterAll(() => started?.stop())

it('save prints only the id, get returns the bytes', async () => {
  const saved = await cli.run(['save', '-t', 'csv', '--title', 'Team', '--tag', 'a', '--tag', 'b'], csv)
  expect([saved.code, saved.err]).toEqual([0, 'Saved "Team" (41 bytes).\n'])
  const id = saved.out.toString().trim()
  expect((await cli.run(['get', id, '-p', '/csv'])).out.toString()).toBe(csv)
  const rows = await cli.run(['get', id, '-p', '/csv', '--rows', '1-1'])
  expect(rows.out.toString()).toBe(csv)
  expect((await cli.run(['get', id, '-p', '/csv', '--rows', '2-1'])).code).toBe(1)
  const listed = await cli.run(['list', '--tag', 'b', '--json=id,title,tags'])
  expect(JSON.parse(listed.out.toString())).toEqual([{ id, title: 'Team', tags: ['a', 'b'] }])
  expect((await cli.run(['rm', id])).code).toBe(2)
  expect((await cli.run(['rm', id, '--yes'])).code).toBe(0)
  expect((await cli.run(['get', id])).code).toBe(5)
})

it.each(['save', 'share'])('%s says that standard input, or a file, was empty', async (command) => {
  const piped = await cli.run([command, '-t', 'text', '--title', 'Empty'])
  expect([piped.code, piped.err]).toEqual([0, expect.stringContaining('Standard input was empty')])
  await writeFile(join(cli.folder, 'empty.txt'), '')
  expect((await cli.run([command, 'empty.txt'])).err).toContain('empty.txt is empty.')
  expect((await cli.run([command, 'empty.txt', '--quiet'])).err).toBe('')
  expect((await cli.run([command, '-t', 'text', '--title', 'Full'], 'x')).err).not.toContain('empty')
})

it('sizes are those of the pages, and a share that ends soon ends at a time', async () => {
  const saved = await cli.run(['save', '-t', 'text', '--title', 'Long'], 'x'.repeat(954_600))
  expect(saved.err).toBe('Saved "Long" (932.3 KB).\n')
  const shared = await cli.run(['share', '-t', 'text', '--expires', '1h'], 'soon')
  expect(shared.err).toMatch(/can open it until \d{4}-\d{2}-\d{2} \d{2}:\d{2} \(UTC[^)]*\)\./)
})

it('share prints only the URL, which anyone can read', async () => {
  await writeFile(join(cli.folder, 'out.csv'), csv)
  const shared = await cli.run(['share', 'out.csv', '--expires', '10m', '--quiet'])
  expect([shared.code, shared.err]).toEqual([0, ''])
  const url = shared.out.toString().trim()
  expect(url).toMatch(/^http:.*\/s\/[0-9A-Za-z]{22}$/)
  const got = await cli.run(['get', url, '-o', 'back.json'], '', { SNIPKEEP_KEY: '' })
  expect([got.code, got.out.length]).toEqual([0, 0])
  expect(JSON.parse(await readFile(join(cli.folder, 'back.json'), 'utf8'))).toEqual({ csv })
})

it('a share that would hold a secret is refused, redacted, or published on demand', async () => {
  const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
  const pem = `-----BEGIN PRIVATE KEY-----\n${'Ab3/cD4+'.repeat(8)}\n${'x9Y/'.repeat(16)}\n-----END PRIVATE KEY-----`
  const text = `name\ntoken: ${token} end\n${pem}\nlast\n`
  const file = join(cli.folder, 'config.txt')
  await writeFile(file, text)
  const refused = await cli.run(['share', 'config.txt'])
  expect([refused.code, refused.out.toString()]).toEqual([1, ''])
  expect(refused.err).toContain('config.txt:2: a GitHub token (ghp_…Lq17)')
  expect(refused.err).toContain('config.txt:4: a private key (-----BEGIN … PRIVATE KEY-----)')
  expect(refused.err).not.toContain(token)
  const redacted = await cli.run(['share', 'config.txt', '--redact'])
  expect([redacted.code, redacted.err]).toEqual([
    0,
    expect.stringContaining('2 secrets were replaced by ***'),
  ])
  const url = redacted.out.toString().trim()
  expect((await cli.run(['get', url, '-p', '/txt'])).out.toString()).toBe(
    'name\ntoken: *** end\n-----BEGIN PRIVATE KEY-----\n***-----END PRIVATE KEY-----\nlast\n',
  )
  const allowed = await cli.run(['share', '--allow-secrets', '-t', 'text'], text)
  expect(allowed.code).toBe(0)
  const published = await cli.run(['get', allowed.out.toString().trim(), '-p', '/text'])
  expect(published.out.toString()).toBe(text)
  const likely = await cli.run(['share', '-t', 'text'], 'https://bob:s3cretpassw0rd@git.acme.io/x\n')
  expect([likely.code, likely.err]).toEqual([
    0,
    expect.stringContaining('perhaps a password in a URL (://…@)'),
  ])
})

it('share puts a gate before a file, and get opens it with its password, once', async () => {
  await writeFile(join(cli.folder, 'secret.csv'), csv)
  const gate = ['--max-views', '1', '--password-stdin']
  const shared = await cli.run(['share', 'secret.csv', ...gate], 'correct hörse\n')
  const url = shared.out.toString().trim()
  expect([shared.code, shared.err]).toEqual([0, 'Anyone with this link and the password can open it once.\n'])
  const open = (...more: string[]) => cli.run(['get', url, '-p', '/csv', ...more], 'correct hörse\n')
  const closed = await open()
  expect([closed.code, closed.err.includes('password')]).toEqual([1, true])
  const got = await open('--password-stdin')
  expect([got.code, got.out.toString(), got.err]).toEqual([0, csv, 'This was its last view.\n'])
  expect((await open('--password-stdin')).code).toBe(5)
  const burnt = (await cli.run(['share', 'secret.csv', '--burn', '--quiet'])).out.toString().trim()
  expect((await cli.run(['get', burnt, '-p', '/csv'])).out.toString()).toBe(csv)
  expect((await cli.run(['share', '-', '--password-stdin'], 'correct hörse')).code).toBe(2)
  expect((await cli.run(['share', 'secret.csv', '--max-views', '0'])).code).toBe(1)
})

it('a name works for replacing, sharing and completing its snippet', async () => {
  for (const text of ['one', 'two']) {
    expect((await cli.run(['save', '-t', 'text', '--name', 'nightly'], text)).code).toBe(0)
  }
  expect((await cli.run(['get', '@nightly', '-p', '/text'])).out.toString()).toBe('two')
  expect((await cli.run(['share', '@nightly'])).out.toString()).toContain('/s/')
  expect((await cli.run(['__complete', '--', 'get', '@ni'])).out.toString()).toBe('@nightly\n')
  expect((await cli.run(['__complete', '--', 'sa'])).out.toString()).toBe('save\n')
})

it('what a name replaces is listed, read and restored by its version', async () => {
  for (const text of ['one', 'two'])
    await cli.run(['save', '-t', 'text', '--title', text, '--name', 'kept'], text)
  const listed = await cli.run(['revisions', '@kept'])
  expect(listed.out.toString().replaceAll(/ {2,}/g, '|')).toMatch(
    /^2\|current\|\S+Z\|14 bytes\|api_key cli\|two\n1\|\S+Z\|14 bytes\|api_key cli\|one\n$/,
  )
  expect((await cli.run(['get', '@kept@1', '-p', '/text'])).out.toString()).toBe('one')
  const restored = await cli.run(['restore', '@kept@1'])
  expect([restored.code, restored.err]).toEqual([0, 'Restored version 1: "one".\n'])
  const id = restored.out.toString().trim()
  expect((await cli.run(['get', id, '-p', '/text'])).out.toString()).toBe('one')
  expect((await cli.run(['get', `${id}@2`, '-p', '/text'])).out.toString()).toBe('two')
  const codes = [await cli.run(['restore', '@kept']), await cli.run(['restore', '@kept@9'])].map(
    ({ code }) => code,
  )
  expect(codes).toEqual([2, 5])
})

it('bash completion covers commands, options and names of snippets', async () => {
  await cli.run(['save', '-t', 'text', '--name', 'weekly'], 'x')
  const completed = (...words: string[]) =>
    `COMP_WORDS=(snipkeep ${words.join(' ')}); COMP_CWORD=${words.length}; _snipkeep; echo "\${COMPREPLY[*]}";`
  const lines = [completed('get', '@wee'), completed('hist'), completed('save', '--if')]
  const { out, code } = await cli.bash(`eval "$(snipkeep completion bash)"; ${lines.join(' ')}`)
  expect([code, out.toString()]).toEqual([0, '@weekly\nhistory\n--if-changed\n'])
})

it('every command has help with an example', async () => {
  const commandsBelow = async (...words: string[]) => {
    const { out } = await cli.run(['__complete', '--', ...words, ''])
    return out
      .toString()
      .split('\n')
      .filter((word) => /^[a-z][a-z-]*$/.test(word) && word !== 'help')
  }
  const groups = ['account', 'contract', 'history', 'key', 'trust', 'tool', 'operator']
  const commands = (await commandsBelow()).filter((name) => !groups.includes(name)).map((name) => [name])
  for (const group of groups) for (const name of await commandsBelow(group)) commands.push([group, name])
  expect(commands.length).toBeGreaterThan(15)
  await Promise.all(
    commands.map(async (words) => {
      const help = await cli.run([...words, '--help'])
      expect([words, help.code]).toEqual([words, 0])
      expect(help.out.toString()).toMatch(new RegExp(`\\n  \\$ .*snipkeep ${words.join(' ')}`))
    }),
  )
})

it('save --if-changed sends only what differs', async () => {
  const nasty = '"\\\u0000\u001f\u007f\u2028é\ud83d\ude00/\r\n\t'
  await writeFile(join(cli.folder, 'report.txt'), nasty)
  const save = async (...more: string[]) => {
    const args = [
      'save',
      'report.txt',
      '--name',
      'report',
      '--if-changed',
      '--json=id,changed,updated_at',
      ...more,
    ]
    const { code, out, err } = await cli.run(args)
    expect(code, err).toBe(0)
    return JSON.parse(out.toString()) as { id: string; changed: boolean; updated_at: string }
  }
  const first = await save('--tag', 'a')
  expect(first.changed).toBe(true)
  expect(await save('--tag', 'a')).toEqual({ ...first, changed: false })
  expect(await save('--tag', 'b')).toMatchObject({ id: first.id, changed: true })
  expect((await save('--tag', 'b', '--key', 'other')).changed).toBe(true)
  expect((await save('--tag', 'b', '--key', 'other', '--title', 'T')).changed).toBe(true)
  const last = await save('--tag', 'b', '--title', 'T')
  await writeFile(join(cli.folder, 'report.txt'), nasty.replace('\r', '\n'))
  expect((await save('--tag', 'b', '--title', 'T')).changed).toBe(true)
  expect(last.changed).toBe(true)
  const unnamed = await cli.run(['save', 'report.txt', '--if-changed'])
  expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('--name')])
})

it('--if-changed compares data as is', async () => {
  const save = async (json: string) =>
    (await cli.run(['save', '-t', 'json', '--title', 'D', '--name', 'data', '--data', '--if-changed'], json))
      .err
  expect(await save('{"a":1}')).toContain('Saved')
  expect(await save('{"a":1}')).toContain('Unchanged')
  expect(await save('{"a":2}')).toContain('Saved')
})

it('--expires never is for plans that allow it', async () => {
  const made = await cli.run(['share', '-t', 'text', '--expires', 'never', '--json=expires_at'], 'x')
  expect(JSON.parse(made.out.toString())).toEqual({ expires_at: null })
  const free = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await system.issuer.token('frida') }
  const refused = await cli.run(['share', '-t', 'text', '--expires', 'never'], 'x', free)
  expect([refused.code, refused.err]).toEqual([6, expect.stringContaining('30 days')])
  expect((await cli.run(['list', '--shares'], '', free)).out.length).toBe(0)
})

it.each([
  [0, ['whoami'], {}],
  [2, ['sav'], {}],
  [2, ['share', 'missing.csv'], {}],
  [2, ['list', '--limit', '0'], {}],
  [2, ['api', 'GET', 'api/plans'], {}],
  [4, ['whoami'], { SNIPKEEP_KEY: '' }],
  [4, ['whoami'], { SNIPKEEP_KEY: 'snk_wrong' }],
  [5, ['get', '@nothing'], {}],
  [5, ['api', 'GET', '/api/nothing'], {}],
  [7, ['whoami', '--no-retry'], { SNIPKEEP_SERVER: 'http://127.0.0.1:1' }],
] as const)('exits %i after %j', async (code, args, more) => {
  const ran = await cli.run(args, '', more)
  expect([ran.code, ran.err]).toEqual([code, expect.any(String)])
})

it('a problem is printed unchanged with --json', async () => {
  const { err, out } = await cli.run(['get', '@nothing', '--json'])
  expect([JSON.parse(err).code, out.length]).toEqual(['not_found', 0])
})

it('stored credentials are private, and sent to no other server', async () => {
  const own = { SNIPKEEP_KEY: '', SNIPKEEP_SERVER: '', XDG_CONFIG_HOME: join(cli.folder, 'config') }
  const login = ['login', '--with-token', '--server', system.baseUrl()]
  expect((await cli.run(login, `${await system.issuer.token('fred')}\n`, own)).err).toContain(
    'fred@example.com',
  )
  const file = join(cli.folder, 'config/snipkeep/credentials.json')
  expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ])
  const me = await cli.run(['whoami', '--json=email,plan'], '', own)
  expect(JSON.parse(me.out.toString())).toEqual({ email: 'fred@example.com', plan: 'free' })
  expect((await cli.run(['whoami', '--server', 'http://127.0.0.1:1'], '', own)).code).toBe(4)
  await chmod(file, 0o644)
  expect((await cli.run(['whoami'], '', own)).err).toContain('Others can read')
  await chmod(file, 0o600)
  expect((await cli.run(['logout'], '', own)).code).toBe(0)
  expect((await cli.run(['whoami'], '', own)).code).toBe(2)
})

it('keys are created, listed and deleted; history is listed and cleared', async () => {
  const token = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await system.issuer.token('mia') }
  const made = await cli.run(['key', 'create', 'second', '--scope', 'read', '--json'], '', token)
  const { id, key } = JSON.parse(made.out.toString()) as Record<string, string>
  expect(key).toMatch(/^snk_/)
  expect((await cli.run(['key', 'list'], '', token)).out.toString()).toContain('second')
  const rotated = await cli.run(['key', 'rotate', id ?? '', '--overlap', '1h'], '', token)
  expect(rotated.out.toString()).toMatch(/^snk_[0-9A-Za-z]{40}\n$/)
  expect((await cli.run(['key', 'finish', id ?? ''], '', token)).code).toBe(0)
  expect((await cli.run(['whoami'], '', { SNIPKEEP_KEY: key ?? '' })).code).toBe(4)
  const program = { SNIPKEEP_KEY: rotated.out.toString().trim() }
  expect((await cli.run(['whoami'], '', program)).code).toBe(0)
  const leaked = await cli.run(['key', 'revoke'], rotated.out, { SNIPKEEP_KEY: '' })
  expect([leaked.code, leaked.out.toString()]).toEqual([0, ''])
  expect((await cli.run(['whoami'], '', program)).code).toBe(4)
  const other = await cli.run(['key', 'create', 'third', '--json=id'], '', token)
  const { id: third } = JSON.parse(other.out.toString()) as Record<string, string>
  expect((await cli.run(['key', 'rm', third ?? ''], '', token)).code).toBe(0)
  expect((await cli.run(['history', 'list'], '', token)).code).toBe(0)
  expect((await cli.run(['history', 'clear', '--yes'], '', token)).code).toBe(0)
})
