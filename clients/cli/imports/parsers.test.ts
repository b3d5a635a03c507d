import { createCipheriv, pbkdf2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ImportedItem, ImportFormatError } from './imported-item.js'
import { parseByteStash } from './parse-bytestash.js'
import { gistIds, parseGist } from './parse-gist.js'
import { parseOpengist } from './parse-opengist.js'
import { parsePrivateBin, pasteAddress } from './parse-privatebin.js'

/** What another service responds with. */
interface Fixture {
  readonly case: string
  /** What sent it, and when: with content of ours. Without this, it is made in the format of the service. */
  readonly recorded?: string
  readonly response: Readonly<Record<string, unknown>>
  readonly item?: ImportedItem
  readonly items?: readonly ImportedItem[]
  readonly url?: string
  readonly password?: string
}

function fixturesOf(service: string): readonly [string, Fixture][] {
  const path = new URL(`./fixtures/${service}.json`, import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as Fixture[]).map((one) => [one.case, one])
}

it.each(['opengist', 'bytestash', 'privatebin'])(
  'its own server sent at least five responses of %s',
  (service) => {
    const sent = fixturesOf(service).filter(
      ([, { recorded = 'without server' }]) => !/rebuilt|abridged|without server/.test(recorded),
    )
    expect(sent.length).toBeGreaterThanOrEqual(5)
  },
)

/** A copy with one member changed. */
const withMember = (response: Fixture['response'], name: string, value: unknown) => ({
  ...response,
  [name]: value,
})

describe('a gist of GitHub', () => {
  const fixtures = fixturesOf('gist')
  const [, { response }] = fixtures[0] ?? ['', { response: {} }]

  it.each(fixtures)('is read: %s', (_name, fixture) => {
    expect(parseGist(fixture.response)).toEqual(fixture.item)
  })

  it.each(['id', 'files'])('without %s is refused', (name) => {
    expect(() => parseGist(withMember(response, name, undefined))).toThrow(/gist/)
  })

  it('with more files than the API tells, or none, is refused', () => {
    expect(() => parseGist(withMember(response, 'truncated', true))).toThrow('more than 300 files')
    expect(() => parseGist(withMember(response, 'files', {}))).toThrow('has no files')
    expect(() => parseGist(withMember(response, 'files', { a: null }))).toThrow('must be an object')
  })

  it('has its bytes as text if they are not UTF-8, or is fetched if they were replaced', () => {
    const picture = { filename: 'a.png', type: 'image/png', size: 3, raw_url: 'https://raw.example/a.png' }
    const filesWith = (more: object) => parseGist({ id: 'a1', files: { a: { ...picture, ...more } } }).files
    expect(filesWith({ content: 'iVBO\n', encoding: 'base64' })).toEqual([
      { name: 'a.png', text: 'data:image/png;base64,iVBO' },
    ])
    expect(filesWith({ content: '\u{fffd}PN' })).toEqual([{ name: 'a.png', url: picture.raw_url }])
    expect(filesWith({ content: 'PNG' })).toEqual([{ name: 'a.png', text: 'PNG' }])
  })

  it('is found in a list', () => {
    expect(gistIds(fixtures.map(([, { response: one }]) => one))).toHaveLength(fixtures.length)
    expect(() => gistIds({ message: 'Not Found' })).toThrow('must be a list')
  })
})

describe('a gist of Opengist', () => {
  it.each(fixturesOf('opengist'))('is read: %s', (_name, fixture) => {
    expect(parseOpengist(fixture.response, 'https://og.example')).toEqual(fixture.item)
  })

  it('without files is refused', () => {
    expect(() => parseOpengist({ uuid: 'a', files: [] }, '')).toThrow('has no files')
    expect(() => parseOpengist({ error: 'not found', code: 'not_found' }, '')).toThrow('uuid')
  })

  it('with more files than it tells is refused: its page tells 50 and no more, its API says so', () => {
    const filesOf = (count: number) => Array.from({ length: count }, () => ({ filename: 'a', content: '' }))
    const page = { uuid: 'a', owner: 'ann', id: 'a' }
    expect(() => parseOpengist({ ...page, files: filesOf(50) }, null)).toThrow('may have more than 50 files')
    for (const count of [49, 51])
      expect(parseOpengist({ ...page, files: filesOf(count) }, null).files).toHaveLength(count)
    const api = { id: 'a', owner: { username: 'ann' }, files: Object.fromEntries(filesOf(50).entries()) }
    expect(() => parseOpengist({ ...api, truncated: true }, null)).toThrow('may have more than 50 files')
    expect(parseOpengist({ ...api, truncated: false }, null).files).toHaveLength(50)
  })
})

const readAll = (response: unknown) => parseByteStash(response).map(({ read }) => read())

it('a file that a saved response of Opengist cuts is refused, since its server is not known', () => {
  const [, { response }] = fixturesOf('opengist').find(([name]) => name === 'a file that is cut') ?? [
    '',
    { response: {} },
  ]
  expect(() => parseOpengist(response, null)).toThrow('Import the gist by its URL instead')
})

describe('an export of ByteStash', () => {
  it.each(fixturesOf('bytestash'))('is read: %s', (_name, fixture) => {
    expect(readAll(fixture.response)).toEqual(fixture.items)
  })

  it('of another version, or of something else, is refused', () => {
    expect(() => parseByteStash({ version: '2.0', snippets: [] })).toThrow('version 2.0')
    expect(() => parseByteStash({ version: '1.0' })).toThrow('snippets')
    expect(() => readAll([{ title: 'A', fragments: [{}] }])).toThrow('code of fragment-1 must be a string')
  })
})

describe('snippets of ByteStash without ids', () => {
  const snippet = (title: string, ...codes: readonly string[]) => ({
    title,
    fragments: codes.map((code) => ({ file_name: 'a', code })),
  })
  const namesOf = (response: unknown) => readAll(response).map(({ name }) => name)

  it('of the same title have names of their own, which stay when others come and go', () => {
    const [one, two, three] = [snippet('A', 'x'), snippet('A', 'y'), snippet('B', 'x')]
    const names = namesOf([one, two, three])
    expect(new Set(names).size).toBe(3)
    expect(namesOf([three, two, one])).toEqual(names.toReversed())
    expect(namesOf([snippet('A', 'changed'), two, one])).toEqual([expect.any(String), names[1], names[0]])
  })

  it('with a title of their own are replaced when they change', () => {
    expect(namesOf([snippet('A', 'x')])).toEqual(namesOf([snippet('A', 'y'), snippet('B', 'x')]).slice(0, 1))
  })

  it('that are the same are numbered', () => {
    const [first, second, third] = namesOf([snippet('A', 'x'), snippet('A', 'x'), snippet('A', 'x')])
    expect([second, third]).toEqual([`${first}-2`, `${first}-3`])
  })

  it('leave the others readable if one has no fragments', () => {
    const entries = parseByteStash([snippet('A', 'x'), snippet('B'), { title: 'C' }, null, snippet('D', 'y')])
    expect(entries.map(({ from }) => from)).toEqual(['A', 'B', 'C', 'snippet 4', 'D'])
    const [a, b, c, nothing, d] = entries
    expect([a?.read().title, d?.read().title]).toEqual(['A', 'D'])
    expect(b?.read).toThrow('has no files')
    expect(c?.read).toThrow('The fragments of C must be a list')
    expect(nothing?.read).toThrow('A snippet must be an object')
  })

  it('keep every file, whatever their names', () => {
    const fragments = ['a', 'a', 'a (2)', 'a', '__proto__'].map((file_name) => ({ file_name, code: '' }))
    const [item] = readAll([{ title: 'A', fragments }])
    expect(item?.files.map(({ name }) => name)).toEqual(['a', 'a (2)', 'a (2) (2)', 'a (3)', '__proto__'])
  })

  it('have a tool, however long the language is', () => {
    const language = `a${'-'.repeat(200_000)}a`
    const [item] = readAll([{ title: 'A', fragments: [{ file_name: 'a', code: '', language }] }])
    expect(item?.tool).toBe('a')
  })
})

describe('a paste of PrivateBin', () => {
  const fixtures = fixturesOf('privatebin')
  const [, plain = { case: '', response: {}, url: '' }] = fixtures[0] ?? []
  const address = pasteAddress(plain.url ?? '')

  it.each(fixtures)('is decrypted: %s', (_name, { response, url = '', password = '', item }) => {
    expect(parsePrivateBin(response, pasteAddress(url), password)).toEqual(item)
  })

  it('with a wrong key, password or changed settings is refused', () => {
    const wrong = { ...address, key: Buffer.alloc(32) }
    expect(() => parsePrivateBin(plain.response, wrong, '')).toThrow('key or the password is wrong')
    expect(() => parsePrivateBin(plain.response, address, 'x')).toThrow('key or the password is wrong')
    const [settings] = plain.response.adata as [unknown[]]
    const markdown = withMember(plain.response, 'adata', [settings, 'markdown', 0, 0])
    expect(() => parsePrivateBin(markdown, address, '')).toThrow('key or the password is wrong')
    const slow = withMember(plain.response, 'adata', [
      [...settings.slice(0, 2), 1e12, ...settings.slice(3)],
      '',
      0,
      0,
    ])
    expect(() => parsePrivateBin(slow, address, '')).toThrow('unusual settings')
  })

  it.each([
    ['an empty iv', { 0: '' }, 'key or the password is wrong'],
    ['half an iteration', { 2: 1.5 }, 'unusual settings'],
  ])('with %s is refused', (_case, changed, message) => {
    const [settings, ...more] = plain.response.adata as [unknown[]]
    const adata = [Object.assign([...settings], changed), ...more]
    const read = () => parsePrivateBin(withMember(plain.response, 'adata', adata), address, '')
    expect(read).toThrow(ImportFormatError)
    expect(read).toThrow(message)
  })

  it.each([
    ['cut ciphertext', { ct: 'AAAA' }, 'key or the password is wrong'],
    ['content that is not compressed', encrypted('{}', 'zlib'), 'not compressed as it says'],
    ['content that is not JSON', encrypted('{', 'none'), 'The content of the paste is not JSON'],
  ])('with %s is refused', (_case, changed, message) => {
    const read = () => parsePrivateBin({ ...plain.response, ...changed }, address, '')
    expect(read).toThrow(ImportFormatError)
    expect(read).toThrow(message)
  })

  /** Encrypted for the address, whatever the text is. */
  function encrypted(text: string, compression: string) {
    const [iv, salt] = [Buffer.alloc(16, 1), Buffer.alloc(8, 2)]
    const settings = [iv.toString('base64'), salt.toString('base64'), 1, 256, 128, 'aes', 'gcm', compression]
    const adata = [settings, 'plaintext', 0, 0]
    const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync(address.key, salt, 1, 32, 'sha256'), iv)
    cipher.setAAD(Buffer.from(JSON.stringify(adata)))
    const ct = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64')
    return { adata, ct }
  }

  it('that is gone, or of an older format, is refused', () => {
    expect(() => parsePrivateBin({ status: 1, message: 'Paste has expired.' }, address, '')).toThrow(
      'has expired',
    )
    expect(() => parsePrivateBin({ status: 0, data: '{"iv":""}' }, address, '')).toThrow('format 2')
  })

  it.each([
    'https://bin.example/?f468483c313401e8',
    'https://bin.example/#key',
    'paste',
    'https://bin.example/?f468483c313401e8#0OIl',
  ])('at %s has no address', (text) => {
    expect(() => pasteAddress(text)).toThrow()
  })
})
