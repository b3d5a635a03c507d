import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const rooms = ['proto', 'gateway', 'services', 'shared', 'libs', 'deploy']
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
const stampFile = 'dist/.stamp'

/** @param {string} folder @returns {string[]} */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesBelow(path)
    return /\.(ts|tsx|css)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/** A digest of the names, sizes and times of everything that the build reads. @param {string} root @returns {string} */
export function sourceStamp(root) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  const files = [
    ...settings.map((name) => join(root, name)),
    ...rooms.flatMap((room) => sourcesBelow(join(root, room))),
  ]
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file}\0${mtimeMs}\0${size}\0`)
  }
  return hash.digest('hex')
}

/** The stamp of the sources that `dist/` was built from; `null` when it was not built whole. @param {string} root */
export function builtStamp(root) {
  try {
    return readFileSync(join(root, stampFile), 'utf8')
  } catch {
    return null
  }
}

/** Has the next build write every file, whatever an incremental one would leave out. @param {string} root */
export function forgetBuild(root) {
  rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true })
  rmSync(join(root, stampFile), { force: true })
}

/** Notes that `dist/` was built whole from these sources. @param {string} root @param {string} stamp */
export function noteBuild(root, stamp) {
  writeFileSync(join(root, stampFile), stamp)
}
