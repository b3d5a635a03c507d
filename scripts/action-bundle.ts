import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** Builds the GitHub Action as one file. GitHub runs what is committed, so it is a generated file. */
export async function actionBundle(root: string): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'snipkeep-action-'))
  try {
    const args = ['build', '--logLevel', 'warn', '--outDir', out, 'clients/action']
    await promisify(execFile)(resolve(root, 'node_modules/.bin/vite'), args, { cwd: root })
    return await readFile(join(out, 'index.mjs'), 'utf8')
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}
