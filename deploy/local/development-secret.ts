import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

async function read(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * The secret of this name below the data folder, made by `create` on first use. However many ask at once, all get the
 * same one, because a finished file appears under its name at one stroke or not at all.
 */
export async function developmentSecret(
  dataDir: string,
  name: string,
  create: () => Promise<string> = async () => randomBytes(32).toString('base64url'),
): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const path = join(folder, name)
  const found = await read(path)
  if (found !== null) return found
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${await create()}\n`, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  const made = await read(path)
  if (made === null) throw new Error(`${path} vanished while it was being made`)
  return made
}
