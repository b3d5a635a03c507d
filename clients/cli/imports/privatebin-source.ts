import { open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { write } from '../terminal.js'
import { fetchText, parseJson, readJsonFile } from './fetch-source.js'
import {
  type FoundItem,
  found,
  type ImportedItem,
  ImportFormatError,
  type ImportSource,
  itemOf,
  listIn,
  objectIn,
  textIn,
} from './imported-item.js'
import { type PasteAddress, parsePrivateBin, pasteAddress, pasteKey } from './parse-privatebin.js'

/**
 * Finds out before a paste is fetched that it could not be saved.
 * @throws CliError, ProblemError
 */
async function checkAccount(context: Context): Promise<void> {
  const sk = await context.client()
  const { usage, limits } = await sk.account.profile()
  for (const name of ['snippets', 'stored_bytes'] as const) {
    const limit = limits[name]
    if (limit !== null && usage[name] >= limit)
      throw new CliError(
        `Not fetched: your plan allows no more ${name.replace('_', ' ')} than ${limit}.`,
        exitCodes.limit,
      )
  }
}

/** Whether the server may have deleted what it sent. An error was not deleted, and other formats are not known. */
function mayBeDeleted(text: string): boolean {
  try {
    const { status, v, adata } = objectIn(parseJson(text, ''), '')
    return status !== 1 && !(v === 2 && listIn(adata, '')[3] === 0)
  } catch {
    return true
  }
}

/** Creates the file before the paste is fetched, since nothing can be written everywhere. */
async function createFile(path: string): ReturnType<typeof open> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new CliError(
      exists
        ? `Not fetched: ${path} exists. Import it as '${path}#KEY', or move it.`
        : `Not fetched: ${path} cannot be written, to keep the paste if the import fails.`,
      exitCodes.failed,
      { cause: error },
    )
  }
}

/** A paste that burns is deleted when it is fetched: the response is kept in a file until it is saved. */
function pasteAt(address: PasteAddress, context: Context): FoundItem {
  const { env, signal, stderr } = context.terminal
  const file = `privatebin-${address.id}.json`
  return {
    from: `Paste ${address.id}`,
    async importWith(save) {
      await checkAccount(context)
      const handle = await createFile(file)
      let isKept = false
      try {
        const headers = { 'X-Requested-With': 'JSONHttpRequest' }
        const text = await fetchText(`${address.server}?pasteid=${address.id}`, headers, signal)
        isKept =
          mayBeDeleted(text) &&
          (await handle.writeFile(text).then(
            () => true,
            () => false,
          ))
        const paste = parseJson(text, 'The response of PrivateBin')
        const result = await save(parsePrivateBin(paste, address, env.PRIVATEBIN_PASSWORD ?? ''))
        isKept = false
        return result
      } catch (error) {
        if (isKept) {
          const command = `snipkeep import privatebin '${file}#KEY'`
          await write(stderr, `The response is kept in ${file}. Import it with: ${command}\n`)
        }
        throw error
      } finally {
        await handle.close()
        if (!isKept) await rm(file, { force: true })
      }
    },
  }
}

/** @throws ImportFormatError, CliError */
async function keptPaste(file: string, key: string, password: string): Promise<ImportedItem> {
  const paste = await readJsonFile(file)
  const [id = textIn(objectIn(paste, file).id, `The id in ${file}`)] =
    /[0-9a-f]{16}/.exec(basename(file)) ?? []
  return parsePrivateBin(paste, { id, key: pasteKey(key) }, password)
}

function pasteIn(typed: string, password: string): FoundItem {
  const [, file = typed, key] = /^(.+)#-?([^#&]+)$/.exec(typed) ?? []
  return found(file, () => {
    if (key === undefined)
      throw new ImportFormatError('Name a paste by its URL https://…/?ID#KEY, or its file and key: FILE#KEY.')
    return keptPaste(file, key, password)
  })
}

/** What a dry run knows of a paste. */
function unfetched(id: string): ImportedItem {
  const files = [{ name: 'paste.txt', text: '', language: '' }]
  return itemOf({ service: 'privatebin', id, title: `Paste ${id}`, tags: [], files })
}

/** Pastes by their URLs, or by files with the responses to them. */
export const privatebin: ImportSource = async function* (context, { what, dryRun }) {
  const { PRIVATEBIN_PASSWORD: password = '' } = context.terminal.env
  for (const typed of what) {
    if (!/^https?:\/\//.test(typed)) {
      yield pasteIn(typed, password)
      continue
    }
    try {
      const address = pasteAddress(typed)
      if (dryRun) await context.note(`Paste ${address.id} is not fetched: if it burns, that would delete it.`)
      yield dryRun ? found(`Paste ${address.id}`, () => unfetched(address.id)) : pasteAt(address, context)
    } catch (error) {
      yield found(typed.replace(/#.*$/, ''), () => Promise.reject(error))
    }
  }
}
