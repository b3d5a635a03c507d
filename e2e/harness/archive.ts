import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readTar } from '#libs/tar/read-tar.js'
import { type TarFile, writeTar } from '#libs/tar/write-tar.js'

/** The files of an archive, in their order. */
export type ArchiveFiles = Map<string, Buffer>

export async function unpack(gzip: Uint8Array): Promise<ArchiveFiles> {
  const whole: Uint8Array[] = [gunzipSync(gzip)]
  const tar = readTar(async () => whole.pop() ?? null)
  const files: ArchiveFiles = new Map()
  for (let entry = await tar.next(); entry !== null; entry = await tar.next()) {
    const chunks: Uint8Array[] = []
    for (let chunk = await entry.next(); chunk !== null; chunk = await entry.next()) chunks.push(chunk)
    files.set(entry.path, Buffer.concat(chunks))
  }
  return files
}

export async function pack(files: Iterable<readonly [string, Uint8Array | string]>): Promise<Buffer> {
  async function* all(): AsyncGenerator<TarFile> {
    for (const [path, content] of files) {
      const bytes = Buffer.from(content)
      yield { path, sizeBytes: bytes.length, content: [bytes] }
    }
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of writeTar(all(), new Date())) chunks.push(chunk)
  return gzipSync(Buffer.concat(chunks))
}

/** Replaces a list and mends the manifest, as an attacker would. */
export function withList(files: ArchiveFiles, path: string, text: string): ArchiveFiles {
  const changed = new Map(files)
  changed.set(path, Buffer.from(text))
  const manifest = JSON.parse(String(files.get('manifest.json'))) as {
    files: { path: string; size_bytes: number; sha256: string }[]
  }
  for (const file of manifest.files) {
    if (file.path !== path) continue
    file.size_bytes = Buffer.byteLength(text)
    file.sha256 = createHash('sha256').update(text).digest('hex')
  }
  changed.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  return changed
}

/** The records of a list. */
export function recordsOf(files: ArchiveFiles, path: string): readonly Record<string, unknown>[] {
  const text = String(files.get(path) ?? '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
