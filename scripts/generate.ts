import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeClientTypes } from './client-types.js'
import { generatedFiles, staleFiles, writtenFiles } from './generated-files.js'

await writeClientTypes('.')
const generated = await generatedFiles('.')
const stale = staleFiles(generated, await writtenFiles('.', generated.keys()))
for (const line of stale) {
  const path = line.slice(0, line.indexOf(' '))
  const text = generated.get(path)
  if (text === undefined) {
    await rm(path)
    continue
  }
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
console.log(stale.length === 0 ? 'Everything is up to date.' : `Regenerated:\n  ${stale.join('\n  ')}`)
