import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { likelyEncoding } from '#engine/encoding/find-encoding.js'
import { positionIn } from '#engine/tools/tool-input-error.js'
import { badByte } from '#engine/tools/whole-input.js'
import { NotFoundError } from '../sdk/problem-error.js'
import { versionOf } from '../sdk/references.js'
import { openText } from './content-source.js'
import type { Context } from './context.js'
import { type CliError, usageError } from './exit-codes.js'
import { shareIn } from './upload.js'

type Bytes = AsyncIterable<Uint8Array>

const idPattern = /^[0-9A-Za-z]{22}$/

async function collected(chunks: Bytes): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  for await (const chunk of chunks) kept.push(chunk)
  return Buffer.concat(kept)
}

async function ofSnippet(context: Context, reference: string, version?: number): Promise<Uint8Array> {
  const { snippets } = await context.client()
  const raw = await (version === undefined
    ? snippets.raw(reference)
    : snippets.revisionRaw(reference, version))
  return raw.bytes()
}

async function ofShare(context: Context, server: string, id: string): Promise<Uint8Array> {
  const { shares } = await context.client('public', server)
  return (await shares.raw(id)).bytes()
}

function notUtf8(path: string, bytes: Uint8Array): CliError {
  const { line, column } = positionIn(bytes, badByte(bytes))
  const message = `${path}:${line}:${column}: The text is not UTF-8. ${likelyEncoding(bytes)} [not_utf8]`
  return usageError(message)
}

async function ofFile(path: string, context: Context, encoding: string): Promise<Uint8Array> {
  const source = await openText(path, context.terminal, encoding)
  try {
    const bytes = await collected(source.open())
    if (!isUtf8(bytes)) throw notUtf8(path, bytes)
    return bytes
  } finally {
    await source.close()
  }
}

/** A snippet, or the share that has this id where no snippet has it. */
async function ofId(id: string, context: Context): Promise<Uint8Array> {
  try {
    return await ofSnippet(context, id)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    const { server } = await context.profile()
    return ofShare(context, server, id)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/**
 * The bytes that an argument names, those of a file in UTF-8: `-` for standard input, the URL of a share, `@name` or
 * `@name@VERSION`, a file, or the id of a snippet, with or without a version, or of a share.
 */
export async function readDocument(named: string, context: Context, encoding = 'auto'): Promise<Uint8Array> {
  if (named === '-') return ofFile(named, context, encoding)
  const share = shareIn(named)
  if (share !== null) return ofShare(context, share.server, share.id)
  const isName = named.startsWith('@')
  if (!isName && (await exists(named))) return ofFile(named, context, encoding)
  const wanted = versionOf(named)
  if (wanted !== null && (isName || idPattern.test(wanted.id)))
    return ofSnippet(context, wanted.id, wanted.version)
  if (isName) return ofSnippet(context, named)
  if (idPattern.test(named)) return ofId(named, context)
  throw usageError(`There is no such file: ${named}`)
}
