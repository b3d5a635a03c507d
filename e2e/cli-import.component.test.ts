import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import type { CommandLine } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'

let started: CommandLineWithKey
let cli: CommandLine

beforeAll(async () => {
  started = await startCommandLineWithKey({ env: { PLAN_FREE_SNIPPETS: '1', PLAN_PRO_DATA_BYTES: '50000' } })
  cli = started.cli
})
afterAll(() => started?.stop())

/** Runs with a server of another service. */
async function withServer(
  serve: Parameters<typeof startJsonServer>[0],
  run: (server: JsonServer) => Promise<void>,
): Promise<void> {
  const server = await startJsonServer(serve)
  try {
    await run(server)
  } finally {
    await server.stop()
  }
}

const gistOf = (id: string, more: object = {}) => ({
  id,
  description: id,
  files: { 'a.txt': { filename: 'a.txt', content: id } },
  ...more,
})

describe('the gists of a user', () => {
  const secret = gistOf('5ec5e70001')
  const open = gistOf('0be0000001')
  const serve: Parameters<typeof startJsonServer>[0] = (path, { authorization }) => {
    if (path === '/user') return authorization === 'Bearer own' ? { login: 'OctoCat' } : 403
    if (path.startsWith('/gists?')) return authorization === 'Bearer own' ? [open, secret] : 401
    if (path.startsWith('/users/octocat/gists?')) return [open]
    return [open, secret].find(({ id }) => path === `/gists/${id}`) ?? 404
  }

  it.each(['', 'other'])(
    'are only the public ones without a token of the user, which is said (%j)',
    (token) =>
      withServer(serve, async ({ url }) => {
        const env = { GITHUB_API_URL: url, GITHUB_TOKEN: token }
        const ran = await cli.run(['import', 'gist', '--user', 'octocat', '--dry-run'], '', env)
        expect(ran.out.toString()).toBe('1 saved, 0 unchanged (nothing was stored)\n')
        expect(ran.err).toContain('Only public gists of octocat are listed.')
      }),
  )

  it('are all of them with a token of the user', () =>
    withServer(serve, async ({ url }) => {
      const env = { GITHUB_API_URL: url, GITHUB_TOKEN: 'own' }
      const ran = await cli.run(['import', 'gist', '--user', 'octocat'], '', env)
      expect(ran.out.toString()).toBe('2 saved, 0 unchanged\n')
      expect(ran.err).not.toContain('Only public')
      expect((await cli.run(['get', '@import-gist-5ec5e70001', '-p', '/a.txt'])).out.toString()).toBe(
        secret.id,
      )
    }))
})

describe('an item that cannot be imported', () => {
  const gists = [
    gistOf('aaaaa1', { truncated: true }),
    gistOf('aaaaa2', { files: {} }),
    gistOf('aaaaa3', { files: { a: { filename: 'a', truncated: true, raw_url: '/raw' } } }),
    gistOf('aaaaa4', { files: { a: { filename: 'a', content: 'x'.repeat(100_000) } } }),
    gistOf('aaaaa5'),
  ]
  const serve = (path: string) => gists.find(({ id }) => path === `/gists/${id}`) ?? 404

  it('is named, and those after it are imported', () =>
    withServer(serve, async ({ url }) => {
      const ids = gists.map(({ id }) => id)
      const ran = await cli.run(['import', 'gist', ...ids, '--quiet'], '', { GITHUB_API_URL: url })
      expect([ran.code, ran.out.toString()]).toEqual([1, '1 saved, 0 unchanged, 4 failed\n'])
      expect(ran.err.trim().split('\n')).toEqual([
        'aaaaa1: Gist aaaaa1 has more than 300 files; clone it with git instead.',
        'aaaaa2: gist aaaaa2 has no files.',
        'aaaaa3: This is not the URL of a file: /raw',
        expect.stringMatching(/^aaaaa4: .*\[\w+\]$/),
      ])
      const alone = await cli.run(['import', 'gist', 'bbbbbb', '--json'], '', { GITHUB_API_URL: url })
      expect(alone.code).toBe(5)
      expect(JSON.parse(alone.out.toString())).toMatchObject({
        items: [{ from: 'bbbbbb', result: 'failed', detail: expect.stringContaining('404') }],
        summary: { saved: 0, unchanged: 0, failed: 1 },
      })
    }))

  it('since the service accepts no more requests, ends the import with what was done', () =>
    withServer(
      (path) => (path === '/gists/aaaaa5' ? gists[4] : 429),
      async ({ url, hits }) => {
        const ids = ['aaaaa5', 'aaaaa1', 'aaaaa2']
        const ran = await cli.run(['import', 'gist', ...ids, '--prefix', 'limited'], '', {
          GITHUB_API_URL: url,
        })
        expect([ran.code, ran.out.toString(), hits()]).toEqual([7, '1 saved, 0 unchanged\n', 2])
        expect(ran.err).toContain('accepts no more requests for now')
      },
    ))

  it('ends the import if you are not signed in', () =>
    withServer(serve, async ({ url, hits }) => {
      const env = { GITHUB_API_URL: url, SNIPKEEP_KEY: '' }
      const ran = await cli.run(['import', 'gist', 'aaaaa5', 'aaaaa1'], '', env)
      expect([ran.code, ran.out.toString(), hits()]).toEqual([4, '', 1])
    }))
})

it('snippets of two ByteStash servers get names of their own with --prefix', async () => {
  for (const title of ['Home', 'Work']) {
    const snippets = [{ id: 12, title, fragments: [{ file_name: 'a', code: title }] }, { title: 'Odd' }]
    await writeFile(join(cli.folder, `${title}.json`), JSON.stringify({ version: '1.0', snippets }))
  }
  const home = await cli.run(['import', 'bytestash', 'Home.json'])
  expect([home.code, home.out.toString()]).toEqual([1, '1 saved, 0 unchanged, 1 failed\n'])
  expect(home.err).toContain('Odd: The fragments of Odd must be a list.\n')
  const work = await cli.run(['import', 'bytestash', 'Work.json', '--prefix', 'work'])
  expect(work.out.toString()).toBe('1 saved, 0 unchanged, 1 failed\n')
  const texts = ['@import-bytestash-12', '@work-12'].map(async (name) =>
    (await cli.run(['get', name, '-p', '/a'])).out.toString(),
  )
  expect(await Promise.all(texts)).toEqual(['Home', 'Work'])
  expect((await cli.run(['import', 'bytestash', 'Work.json', '--prefix', '@Work'])).code).toBe(2)
})

it('the whole file of a private gist of Opengist is fetched with the token; a saved response has no server', async () => {
  const gist = {
    uuid: 'abc',
    id: 'big',
    owner: 'ann',
    title: 'Big',
    files: [{ filename: 'a', truncated: true }],
  }
  const seen: (string | undefined)[] = []
  await withServer(
    (path, { authorization }) => {
      seen.push(authorization)
      return path === '/ann/big.json' ? gist : 'whole'
    },
    async ({ url }) => {
      const ran = await cli.run(['import', 'opengist', `${url}/ann/big`], '', { OPENGIST_TOKEN: 'og_x' })
      expect(ran.out.toString()).toBe('1 saved, 0 unchanged\n')
      expect(seen).toEqual(['Token og_x', 'Token og_x'])
    },
  )
  await writeFile(join(cli.folder, 'big.json'), JSON.stringify(gist))
  const saved = await cli.run(['import', 'opengist', 'big.json'])
  expect([saved.code, saved.err]).toEqual([1, expect.stringContaining('Import the gist by its URL instead.')])
})

it('files of Opengist that are not UTF-8, which it omits or changes, come with their bytes; a byte order mark stays', async () => {
  const bytes: Record<string, Buffer> = {
    'dot.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    'latin1.txt': Buffer.from('Größe', 'latin1'),
    'marked.txt': Buffer.from('\ufeffid\r\n'),
  }
  const files = [
    { filename: 'dot.png', size: 8, content: '', truncated: false },
    { filename: 'latin1.txt', size: 5, content: 'Gr\ufffd\ufffde', truncated: false },
    { filename: 'marked.txt', size: 7, content: '', truncated: true },
  ]
  await withServer(
    (path) =>
      path === '/ann/bytes.json'
        ? { uuid: 'b1', id: 'bytes', owner: 'ann', title: 'Bytes', files }
        : (bytes[path.replace('/ann/bytes/raw/HEAD/', '')] ?? 404),
    async ({ url }) => {
      const ran = await cli.run(['import', 'opengist', `${url}/ann/bytes`])
      expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('@import-opengist-b1')])
      const saved = await cli.run(['get', '@import-opengist-b1'])
      expect(JSON.parse(saved.out.toString())).toEqual({
        'dot.png': 'data:application/octet-stream;base64,iVBORw0KGgo=',
        'latin1.txt': 'data:application/octet-stream;base64,R3L232U=',
        'marked.txt': '\ufeffid\r\n',
      })
    },
  )
})

describe('a paste that burns', () => {
  interface Fixture {
    readonly url: string
    readonly response: { readonly id: string; readonly adata: readonly unknown[] }
  }
  let burns: Fixture | undefined
  let kept: string
  let plain: Fixture | undefined

  beforeAll(async () => {
    const fixtures: Fixture[] = JSON.parse(
      await readFile('clients/cli/imports/fixtures/privatebin.json', 'utf8'),
    )
    burns = fixtures.find(({ response }) => response.adata[3] === 1)
    plain = fixtures.find(({ response }) => response.adata[3] === 0)
    kept = `privatebin-${burns?.response.id}.json`
  })
  const at = (url: string, paste = burns) => paste?.url.replace('https://bin.example', url) ?? ''
  const pastesInFolder = async () =>
    (await readdir(cli.folder)).filter((name) => name.startsWith('privatebin-'))

  it('is not fetched by a dry run, without a sign-in, or if there is no room for it', () =>
    withServer(
      () => burns?.response,
      async ({ url, hits }) => {
        const dry = await cli.run(['import', 'privatebin', at(url), '--dry-run'])
        expect(dry.out.toString()).toBe('1 saved, 0 unchanged (nothing was stored)\n')
        expect(dry.err).toContain('is not fetched')
        expect((await cli.run(['import', 'privatebin', at(url)], '', { SNIPKEEP_KEY: '' })).code).toBe(4)
        const wrong = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: 'wrong' }
        expect((await cli.run(['import', 'privatebin', at(url)], '', wrong)).code).toBe(4)
        const full = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await started.system.issuer.token('full') }
        expect((await cli.run(['save', '-t', 'text'], 'one', full)).code).toBe(0)
        const refused = await cli.run(['import', 'privatebin', at(url)], '', full)
        expect([refused.code, refused.err]).toEqual([6, expect.stringContaining('no more snippets than 1')])
        expect([hits(), await pastesInFolder()]).toEqual([0, []])
      },
    ))

  it('is kept in a file if the import fails, and can be imported from there', () =>
    withServer(
      () => burns?.response,
      async ({ url, hits }) => {
        const failed = await cli.run(['import', 'privatebin', at(url)], '', { PRIVATEBIN_PASSWORD: 'wrong' })
        expect([failed.code, failed.err]).toEqual([1, expect.stringContaining(`is kept in ${kept}`)])
        expect((await stat(join(cli.folder, kept))).mode & 0o777).toBe(0o600)
        const again = await cli.run(['import', 'privatebin', at(url)])
        expect([again.code, again.err]).toEqual([1, expect.stringContaining(`Not fetched: ${kept} exists`)])
        expect(hits()).toBe(1)
        const key = burns?.url.split('#')[1]
        expect((await cli.run(['import', 'privatebin', kept])).err).toContain('FILE#KEY')
        const imported = await cli.run(['import', 'privatebin', `${kept}#${key}`])
        expect([imported.code, imported.out.toString()]).toEqual([0, '1 saved, 0 unchanged\n'])
        expect(imported.err).toContain(`@import-privatebin-${burns?.response.id}:`)
      },
    ))

  it('leaves no file behind if it was saved, and neither does one that does not burn', async () => {
    const before = await pastesInFolder()
    for (const paste of [plain, undefined])
      await withServer(
        () => paste?.response ?? { status: 1, message: 'Paste does not exist.' },
        async ({ url }) => {
          const env = { PRIVATEBIN_PASSWORD: 'wrong' }
          expect((await cli.run(['import', 'privatebin', at(url, plain)], '', env)).code).toBe(1)
          if (paste === undefined) return
          expect((await cli.run(['import', 'privatebin', at(url, plain)])).code).toBe(0)
        },
      )
    expect(await pastesInFolder()).toEqual(before)
  })
})
