import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const sdk = resolve('clients/sdk/dist')
let folder: string

/** The folder of someone who has installed the tarball, and nothing else. */
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build:sdk'])
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-packages-'))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: sdk })
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  const home = join(folder, 'node_modules', '@snipkeep', 'client')
  await mkdir(home, { recursive: true })
  const tarball = join(folder, `snipkeep-client-${version}.tgz`)
  await run('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('the SDK is published with its code and types alone, small and without dependencies', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: sdk })
  const [packed] = JSON.parse(stdout) as { files: { path: string }[]; size: number }[]
  const paths = packed?.files.map(({ path }) => path) ?? []
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'exports.js', 'exports.d.ts', 'node.js']),
  )
  expect(paths.filter((path) => !/^(LICENSE|README\.md|package\.json|.*\.js|.*\.d\.ts)$/.test(path))).toEqual(
    [],
  )
  expect(paths.filter((path) => path.includes('test'))).toEqual([])
  expect(packed?.size).toBeLessThan(40_000)
  const manifest = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(manifest).not.toHaveProperty('dependencies')
})

it('the SDK runs in plain Node', async () => {
  const program = `
    import { Snipkeep, apiKey, isCode, ConnectionError } from '@snipkeep/client'
    import { fromFile } from '@snipkeep/client/node'
    const sk = new Snipkeep({ server: 'http://127.0.0.1:9', auth: apiKey('snk_1'), retries: 0 })
    const error = await sk.account.plans().catch((caught) => caught)
    console.log(error instanceof ConnectionError, isCode(error, 'not_found'), (await fromFile('package.json')).size)`
  await writeFile(join(folder, 'program.mjs'), program)
  const { stdout, stderr } = await run(process.execPath, ['program.mjs'], { cwd: folder })
  expect([stdout.trim(), stderr]).toEqual(['true false 17', ''])
})

it('its types fit programs that are checked strictly, and refuse those that are wrong', async () => {
  const lines = (wrong: string) => `
    import { Snipkeep, idToken, type ProblemCode } from '@snipkeep/client'
    const sk = new Snipkeep({ server: 'https://s.example', auth: idToken(async () => 'x') })
    export const code: ProblemCode = 'share_expired'
    export const made = sk.snippets.create({ tool: 'csv', ${wrong} })
    export const size: Promise<number> = made.then(({ size_bytes }) => size_bytes)`
  const check = async (name: string, wrong: string) => {
    await writeFile(join(folder, name), lines(wrong))
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2022,dom',
    ]
    const args = [resolve('node_modules/typescript/bin/tsc'), ...flags, '--ignoreConfig', name]
    return run(process.execPath, args, { cwd: folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  }
  expect(await check('right.ts', "content: 'a,b'")).toBe('')
  expect(await check('wrong.ts', "content: 'a,b', json: '{}'")).toContain('wrong.ts(5,')
})

it('the SDK keeps nothing of what it has sent', async () => {
  const program = `
    import { createServer } from 'node:http'
    import { Snipkeep } from '@snipkeep/client'
    const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const chunks = 1024
    let most = 0
    const open = () => {
      let left = chunks
      return new ReadableStream({ pull(output) {
        if (left % 64 === 0) { gc(); most = Math.max(most, process.memoryUsage().arrayBuffers) }
        if (left === 0) return output.close()
        left -= 1
        output.enqueue(new Uint8Array(65_536))
      } })
    }
    const sk = new Snipkeep({ server: 'http://127.0.0.1:' + server.address().port })
    await sk.snippets.create({ tool: 'text', content: { size: chunks * 65_536, open } })
    server.close()
    console.log(most)`
  await writeFile(join(folder, 'upload.mjs'), program)
  const { stdout } = await run(process.execPath, ['--expose-gc', 'upload.mjs'], { cwd: folder })
  expect(Number(stdout)).toBeLessThan(32 * 1024 * 1024)
})
