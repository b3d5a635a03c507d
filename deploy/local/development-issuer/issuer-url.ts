import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The URL of the development issuer: the one that was configured, or else that of its port on this machine. */
export function issuerUrlOf(port: number, configured: string | null): string {
  return configured ?? `http://localhost:${port}`
}

const fileOf = (dataDir: string): string => join(dataDir, 'issuer-url')

/** Notes where the issuer of this data folder is, for tokens that are made by another command. */
export async function noteIssuerUrl(dataDir: string, url: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${url}\n`)
}

/** Where the issuer of this data folder was last; `null` before its first start. */
export async function notedIssuerUrl(dataDir: string): Promise<string | null> {
  const text = (await readFile(fileOf(dataDir), 'utf8').catch(() => '')).trim()
  return text === '' ? null : text
}
