import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import {
  isCode,
  lastWord,
  NotFoundError,
  type SecretWarning,
  type Snipkeep,
  sharePath,
} from '../sdk/exports.js'
import { fromFile } from '../sdk/node.js'
import { type Checked, checkFile } from './check-file.js'
import { type Compared, compareFile, shareIdOf } from './compare-file.js'
import type { FileInput, Inputs } from './inputs.js'
import { type Env, InputError } from './runner.js'

/** What has become of the file. */
interface Kept {
  readonly snippet: { readonly id: string; readonly name: string } | null
  readonly share: { readonly id: string; readonly url: string } | null
}

/**
 * The address of the page that compares a file with what it was compared with: public if both are shares, else for the
 * owner of the snippets. `null` where there is nothing to compare with, or this step has replaced it.
 */
function diffUrlOf(
  server: string,
  { reference, found, isTooLarge }: Compared,
  { snippet, share }: Kept,
): string | null {
  if (found === null && !isTooLarge) return null
  const shared = shareIdOf(reference)
  if (shared !== null && share !== null) return new URL(`/s/${shared}/compare/${share.id}`, share.url).href
  const a = shared ?? reference
  const b = snippet === null ? share?.id : `@${snippet.name}`
  if (b === undefined || a === b || a === snippet?.id) return null
  return `${server}/compare?${new URLSearchParams({ a, b })}`
}

/** The result for a file. */
export interface Saved {
  readonly path: string
  readonly title: string
  readonly size: number
  readonly snippet: { readonly id: string; readonly name: string; readonly change: Change } | null
  readonly share: Shared | null
  /** `null` unless it was to be compared. */
  readonly compared: Compared | null
  /** The page that shows what differs; `null` if there is none. */
  readonly diffUrl: string | null
  /** `null` unless it was to be judged. */
  readonly checked: Checked | null
}

export interface Shared {
  readonly id: string
  readonly url: string
  readonly rawUrl: string
  readonly expiresAt: string | null
  /** What seems to be a secret in it. */
  readonly warnings: readonly SecretWarning[]
}

/** How the content compares with the previous version; `unknown` if the key may not read it. */
export type Change = 'new' | 'changed' | 'unchanged' | 'unknown'

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

async function isSame(sk: Snipkeep, reference: string, member: string, path: string, size: number) {
  const stored = await sk.snippets.raw(reference, { pointer: `/${member}` })
  if (!stored.contentType.startsWith('text/plain') || (stored.size !== null && stored.size !== size)) {
    await stored.body.cancel()
    return false
  }
  return (await digestOf(stored.body)) === (await digestOf(createReadStream(path)))
}

/** Compares a file with the version stored under its name, before replacing it. */
async function changeOf(sk: Snipkeep, reference: string, member: string, path: string, size: number) {
  try {
    return (await isSame(sk, reference, member, path, size)) ? 'unchanged' : 'changed'
  } catch (error) {
    // Either the name is new, or its data has no such member.
    if (error instanceof NotFoundError) return 'changed'
    if (isCode(error, 'insufficient_scope')) return 'unknown'
    throw error
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new InputError(`There is no file ${path}. Does an earlier step write it?`)
  if (!found.isFile()) throw new InputError(`${path} is not a file.`)
  return found.size
}

/**
 * Checks that all files exist before any is saved.
 * @throws InputError if one does not.
 */
export async function requireFiles(files: readonly FileInput[]): Promise<void> {
  for (const { path } of files) await sizeOf(path)
}

/** What the server is told; "warn" leaves it to the server, which may refuse. */
const allowed = { refuse: false, warn: undefined, off: true } as const

async function shareFile(
  sk: Snipkeep,
  {
    path,
    tool,
    title,
    key,
    server,
    expiresIn,
    secrets,
  }: Pick<FileInput, 'path' | 'tool' | 'title'> &
    Pick<Inputs, 'server' | 'expiresIn' | 'secrets'> & { readonly key: string },
): Promise<Shared> {
  const allowSecrets = allowed[secrets]
  const content = await fromFile(path)
  const made = await sk.shares.create({ tool, title, key, content, expiresIn, allowSecrets })
  const rawUrl = `${server}${sharePath(made.id)}/raw?pointer=${encodeURIComponent(`/${key}`)}`
  const warnings = secrets === 'warn' ? (made.warnings ?? []) : []
  return { id: made.id, url: made.share_url, rawUrl, expiresAt: made.expires_at, warnings }
}

/**
 * Judges a file, compares it, saves it under its name and shares it, as configured. Yields what is known after each of
 * these, the rest of which may fail. What breaks its contract is not made public.
 */
export async function* saveFile(
  sk: Snipkeep,
  file: FileInput,
  { server, isShared, expiresIn, secrets }: Pick<Inputs, 'server' | 'isShared' | 'expiresIn' | 'secrets'>,
  env: Env,
): AsyncGenerator<Saved, void> {
  const { path, tool, title, name, compare } = file
  const size = await sizeOf(path)
  const key = lastWord(tool)
  const checked = await checkFile(sk, file, env)
  const known: Saved = {
    path,
    title,
    size,
    snippet: null,
    share: null,
    compared: null,
    diffUrl: null,
    checked,
  }
  if (checked !== null) yield known
  const compared = compare === null ? null : await compareFile(sk, compare, path, key)
  const kept = (snippet: Saved['snippet'], share: Shared | null): Saved => {
    const diffUrl = compared && diffUrlOf(server, compared, { snippet, share })
    return { ...known, snippet, share, compared, diffUrl }
  }
  if (compared !== null) yield kept(null, null)
  let snippet: Saved['snippet'] = null
  if (name !== null) {
    const reference = `@${name}`
    const change = await changeOf(sk, reference, key, path, size)
    const put = await sk.snippets.put(reference, { tool, title, key, content: await fromFile(path) })
    snippet = { id: put.id, name, change: put.created ? 'new' : change }
    yield kept(snippet, null)
  }
  const isPublic = isShared && checked?.check.verdict !== 'breaks'
  const share = isPublic ? await shareFile(sk, { path, tool, title, key, server, expiresIn, secrets }) : null
  yield kept(snippet, share)
}
