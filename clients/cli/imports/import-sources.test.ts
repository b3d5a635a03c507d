import { afterEach, expect, it, vi } from 'vitest'
import { createContext } from '../context.js'
import { testTerminal } from '../testing/test-terminal.js'
import { importSources } from './import-sources.js'

afterEach(() => vi.unstubAllGlobals())

/** The addresses that an import fetches with these variables, until it fails. */
async function fetched(source: string, what: readonly string[], env: Readonly<Record<string, string>>) {
  const addresses: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    addresses.push(String(address))
    return Response.json({ title: 't', files: [{ filename: 'a', content: 'b' }] })
  })
  const { terminal } = testTerminal(false, { env })
  const context = createContext(terminal, { profile: 'default', progress: false, retry: false })
  const input = { what, user: undefined, prefix: undefined, dryRun: true }
  let error = ''
  try {
    for await (const item of importSources[source]?.(context, input) ?? [])
      await item.importWith(async () => undefined)
  } catch (thrown) {
    error = String(thrown)
  }
  return { addresses, error }
}

it.each([
  'http://gists.example/ann/1',
  'http://localhost.gists.example/ann/1',
  'http://localhost:80@gists.example/ann/1',
  'http://127.0.0.1.gists.example/ann/1',
])('OPENGIST_TOKEN is not sent to %s, which is refused', async (address) => {
  const { addresses, error } = await fetched('opengist', [address], { OPENGIST_TOKEN: 'secret' })
  expect([addresses, error]).toEqual([[], expect.stringContaining('OPENGIST_TOKEN is sent only to https:')])
})

it.each(['https://gists.example/ann/1', 'http://localhost:6157/ann/1', 'http://127.0.0.1:6157/ann/1'])(
  'OPENGIST_TOKEN may be sent to %s',
  async (address) => {
    const { addresses } = await fetched('opengist', [address], { OPENGIST_TOKEN: 'secret' })
    expect(addresses).toEqual([`${address}.json`])
  },
)

it('a public gist may come from an http: address without a token', async () => {
  const address = 'http://gists.example/ann/1'
  expect((await fetched('opengist', [address], {})).addresses).toEqual([`${address}.json`])
})

it('GITHUB_TOKEN is not sent to an http: address', async () => {
  const env = { GITHUB_API_URL: 'http://github.example', GITHUB_TOKEN: 'secret' }
  const { addresses, error } = await fetched('gist', ['aaaaa1'], env)
  expect([addresses, error]).toEqual([[], expect.stringContaining('GITHUB_TOKEN is sent only to https:')])
})
