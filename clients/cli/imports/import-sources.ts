import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { fetchText, parseJson, readJsonFile } from './fetch-source.js'
import type { ImportedItem } from './imported-item.js'
import { parseByteStash } from './parse-bytestash.js'
import { gistIds, parseGist } from './parse-gist.js'
import { parseOpengist } from './parse-opengist.js'
import { parsePrivateBin, pasteAddress } from './parse-privatebin.js'

/** What to import, as it was typed. */
export interface ImportArguments {
  readonly what: readonly string[]
  /** All gists of this user. */
  readonly user: string | undefined
}

/** Reads the items of one service, one by one. */
export type ImportSource = (
  terminal: Context['terminal'],
  input: ImportArguments,
) => AsyncGenerator<ImportedItem, void, undefined>

const gistsPerPage = 100

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text)
}

function githubHeaders(env: Context['terminal']['env']): Record<string, string> {
  const token = env.GITHUB_TOKEN || env.GH_TOKEN
  return {
    Accept: 'application/vnd.github+json',
    ...(token === undefined || token === '' ? {} : { Authorization: `Bearer ${token}` }),
  }
}

/** The id in an id or the address of a gist. */
function gistId(text: string): string {
  const [, id] = /^(?:https?:\/\/[^?#]*\/)?([0-9a-f]{5,64})(?:[/?#].*)?$/i.exec(text) ?? []
  if (id === undefined) throw new CliError(`This is not a gist: ${text}`, exitCodes.usage)
  return id
}

const gist: ImportSource = async function* ({ env, signal }, { what, user }) {
  const api = env.GITHUB_API_URL || 'https://api.github.com'
  const get = async (path: string): Promise<unknown> =>
    parseJson(await fetchText(`${api}${path}`, githubHeaders(env), signal), 'The response of GitHub')
  for (const one of what) {
    if (one.endsWith('.json')) yield parseGist(await readJsonFile(one))
    else yield parseGist(await get(`/gists/${gistId(one)}`))
  }
  if (user === undefined) return
  for (let page = 1; ; page += 1) {
    const ids = gistIds(
      await get(`/users/${encodeURIComponent(user)}/gists?per_page=${gistsPerPage}&page=${page}`),
    )
    for (const id of ids) yield parseGist(await get(`/gists/${id}`))
    if (ids.length < gistsPerPage) return
  }
}

/** The server of a gist at `https://…/user/gist`. */
function opengistServer(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.split('/').slice(0, -2).join('/')}`
}

const opengist: ImportSource = async function* ({ env, signal }, { what }) {
  const token = env.OPENGIST_TOKEN
  const headers: Record<string, string> =
    token === undefined || token === '' ? {} : { Authorization: `Token ${token}` }
  for (const one of what) {
    if (!isUrl(one)) {
      yield parseOpengist(await readJsonFile(one), '')
      continue
    }
    const address = one
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .replace(/\.json$/, '')
    const text = await fetchText(`${address}.json`, headers, signal)
    yield parseOpengist(parseJson(text, 'The response of Opengist'), opengistServer(address))
  }
}

const bytestash: ImportSource = async function* (_terminal, { what }) {
  for (const file of what) yield* parseByteStash(await readJsonFile(file))
}

const privatebin: ImportSource = async function* ({ env, signal }, { what }) {
  for (const one of what) {
    const address = pasteAddress(one)
    const headers = { 'X-Requested-With': 'JSONHttpRequest' }
    const text = await fetchText(`${address.server}?pasteid=${address.id}`, headers, signal)
    const paste = parseJson(text, 'The response of PrivateBin')
    yield parsePrivateBin(paste, address, env.PRIVATEBIN_PASSWORD ?? '')
  }
}

/** The services that items can be imported from. */
export const importSources: Readonly<Record<string, ImportSource>> = { gist, opengist, bytestash, privatebin }
