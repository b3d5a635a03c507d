import { stat } from 'node:fs/promises'
import { ProblemError } from '../sdk/problem-error.js'
import { openContent } from './content-source.js'
import type { Context } from './context.js'
import { CliError, exitCodes } from './exit-codes.js'
import { shareAt, snippetPath, versionOf } from './upload.js'

type Bytes = AsyncIterable<Uint8Array>

const idPattern = /^[0-9A-Za-z]{22}$/

async function collected(chunks: Bytes): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  for await (const chunk of chunks) kept.push(chunk)
  return Buffer.concat(kept)
}

async function downloaded(context: Context, path: string, server?: string): Promise<Uint8Array> {
  const api = await context.api(server === undefined ? 'account' : 'public', server)
  const { body } = await api.call('GET', `${path}/raw`, { headers: { Accept: '*/*' } })
  return body === null ? new Uint8Array() : collected(body)
}

async function ofFile(path: string, context: Context): Promise<Uint8Array> {
  const source = await openContent(path, context.terminal)
  try {
    return await collected(source.open())
  } finally {
    await source.close()
  }
}

/** A snippet, or the share that has this id where no snippet has it. */
async function ofId(id: string, context: Context): Promise<Uint8Array> {
  try {
    return await downloaded(context, snippetPath(id))
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 404) throw error
    const { server } = await context.profile()
    return downloaded(context, `/api/shares/${id}`, server)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/**
 * The bytes that an argument names: `-` for standard input, the URL of a share, `@name` or `@name@VERSION`, a file, or
 * the id of a snippet, with or without a version, or of a share.
 */
export async function readDocument(named: string, context: Context): Promise<Uint8Array> {
  if (named === '-') return ofFile(named, context)
  const share = shareAt(named)
  if (share !== null) return downloaded(context, `/api/shares/${share.id}`, share.server)
  const isName = named.startsWith('@')
  if (!isName && (await exists(named))) return ofFile(named, context)
  const wanted = versionOf(named)
  if (wanted !== null && (isName || idPattern.test(wanted.id)))
    return downloaded(context, `${snippetPath(wanted.id)}/revisions/${wanted.version}`)
  if (isName) return downloaded(context, snippetPath(named))
  if (idPattern.test(named)) return ofId(named, context)
  throw new CliError(`There is no such file: ${named}`, exitCodes.usage)
}
