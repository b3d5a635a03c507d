import type { Context } from '../context.js'
import { CliError, exitCodes, usageError } from '../exit-codes.js'
import { isWebAddress } from '../web-address.js'
import { fetchText, parseJson, readJsonFile } from './fetch-source.js'
import { found, type ImportedItem, type ImportSource } from './imported-item.js'
import { parseByteStash } from './parse-bytestash.js'
import { gistIds, parseGist } from './parse-gist.js'
import { parseOpengist } from './parse-opengist.js'
import { privatebin } from './privatebin-source.js'

const gistsPerPage = 100

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text)
}

/** @throws CliError if others could read a token that is sent to this address. */
function assertPrivate(token: string, address: string): void {
  if (!URL.canParse(address) || !isWebAddress(new URL(address)))
    throw new CliError(`${token} is sent only to https: addresses, and to http: ones of this machine.`)
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
  if (id === undefined) throw usageError(`This is not a gist: ${text}`)
  return id
}

/** Whether the token is of this user. Not every token may ask whose it is: those of GitHub Actions may not. */
async function isTokenOf(user: string, get: (path: string) => Promise<unknown>): Promise<boolean> {
  try {
    const login: unknown = Reflect.get(Object(await get('/user')), 'login')
    return typeof login === 'string' && login.toLowerCase() === user.toLowerCase()
  } catch (error) {
    if (error instanceof CliError && error.exitCode !== exitCodes.unavailable) return false
    throw error
  }
}

const gist: ImportSource = async function* ({ terminal, note }, { what, user }) {
  const { env, signal } = terminal
  const api = env.GITHUB_API_URL || 'https://api.github.com'
  const headers = githubHeaders(env)
  if (headers.Authorization !== undefined) assertPrivate('GITHUB_TOKEN', api)
  const get = async (path: string): Promise<unknown> =>
    parseJson(await fetchText(`${api}${path}`, headers, signal), 'The response of GitHub')
  for (const one of what) {
    const isFile = one.endsWith('.json')
    yield found(one, async () => parseGist(await (isFile ? readJsonFile(one) : get(`/gists/${gistId(one)}`))))
  }
  if (user === undefined) return
  const isOwn = headers.Authorization !== undefined && (await isTokenOf(user, get))
  if (!isOwn)
    await note(
      `Only public gists of ${user} are listed. Secret ones need a token of ${user} in GITHUB_TOKEN.`,
    )
  const list = isOwn ? '/gists' : `/users/${encodeURIComponent(user)}/gists`
  for (let page = 1; ; page += 1) {
    const ids = gistIds(await get(`${list}?per_page=${gistsPerPage}&page=${page}`))
    for (const id of ids) yield found(`Gist ${id}`, async () => parseGist(await get(`/gists/${id}`)))
    if (ids.length < gistsPerPage) return
  }
}

/** The server of a gist at `https://…/user/gist`. */
function opengistServer(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.split('/').slice(0, -2).join('/')}`
}

/** A gist at its address. The files that it cuts are at the same server, and get the same token. */
async function opengistAt(typed: string, { env, signal }: Context['terminal']): Promise<ImportedItem> {
  if (env.OPENGIST_TOKEN) assertPrivate('OPENGIST_TOKEN', typed)
  const headers: Record<string, string> = env.OPENGIST_TOKEN
    ? { Authorization: `Token ${env.OPENGIST_TOKEN}` }
    : {}
  const address = typed
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.json$/, '')
  const text = await fetchText(`${address}.json`, headers, signal)
  const item = parseOpengist(parseJson(text, 'The response of Opengist'), opengistServer(address))
  return { ...item, files: item.files.map((file) => ('url' in file ? { ...file, headers } : file)) }
}

const opengist: ImportSource = async function* ({ terminal }, { what }) {
  for (const one of what)
    yield found(one, async () =>
      isUrl(one) ? opengistAt(one, terminal) : parseOpengist(await readJsonFile(one), null),
    )
}

const bytestash: ImportSource = async function* (_context, { what }) {
  for (const file of what) {
    const entries = await readJsonFile(file)
      .then(parseByteStash)
      .catch((error: unknown) => [{ from: file, read: () => Promise.reject(error) }])
    for (const { from, read } of entries) yield found(from, read)
  }
}

/** The services that items can be imported from. */
export const importSources: Readonly<Record<string, ImportSource>> = { gist, opengist, bytestash, privatebin }
