import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('when npm cannot install packages it says why, also under npm run --silent', async () => {
  const root = await mkdtemp(join(tmpdir(), 'snipkeep-start-'))
  try {
    const launcher = join(root, 'deploy', 'launcher')
    await mkdir(launcher, { recursive: true })
    for (const name of ['start.mjs', 'prepare.mjs', 'checkout.mjs'])
      await copyFile(fileURLToPath(new URL(name, import.meta.url)), join(launcher, name))
    await writeFile(join(root, 'package-lock.json'), '{"packages":{}}')
    const npm = join(root, 'npm.js')
    await writeFile(npm, `console.log('npm ' + process.argv.slice(2).join(' ')); process.exit(1)`)
    const env = { ...process.env, npm_execpath: npm, npm_config_loglevel: 'silent' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(launcher, 'start.mjs'), 'token'], {
      env,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/not installed yet.*\nnpm ci .*--loglevel=notice\n.*see the npm output above/)
    // Output on stdout would be taken for the token.
    expect(stdout).toBe('')
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
