import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const sdk = resolve('clients/sdk/dist')
const cli = resolve('dist/clients/cli')
/** As in the workflow of a repository. */
const workflow = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'acme/snipkeep' }
let folder: string
let tarballs: Readonly<Record<'sdk' | 'cli', string>>

/** The project folder of a user who installed only the tarball. */
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build:sdk'], { env: { ...process.env, ...workflow } })
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-packages-'))
  for (const cwd of [sdk, cli]) await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd })
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  tarballs = {
    sdk: join(folder, `snipkeep-client-${version}.tgz`),
    cli: join(folder, `snipkeep-${version}.tgz`),
  }
  const home = join(folder, 'node_modules', '@snipkeep', 'client')
  await mkdir(home, { recursive: true })
  await run('tar', ['-xzf', tarballs.sdk, '-C', home, '--strip-components=1'])
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What `npm publish` would upload from a folder. */
async function packed(cwd: string): Promise<{ readonly paths: readonly string[]; readonly size: number }> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd })
  const [found] = JSON.parse(stdout) as { files: { path: string }[]; size: number }[]
  return { paths: found?.files.map(({ path }) => path).sort() ?? [], size: found?.size ?? Infinity }
}

async function manifestIn(cwd: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'))
}

it('the published SDK has only its code and types, small and without dependencies', async () => {
  const sources = await readdir('clients/sdk', { recursive: true })
  const modules = sources
    .filter((name) => /(?<!\.test|\.d)\.ts$/.test(name) && !name.startsWith('dist/'))
    .flatMap((name) => ['.js', '.d.ts'].map((ending) => name.replace(/\.ts$/, ending)))
  const { paths, size } = await packed(sdk)
  expect(paths).toEqual([...modules, 'LICENSE', 'README.md', 'package.json'].sort())
  // With the methods of operators, gates and accounts; without them it was below 40 KB.
  expect(size).toBeLessThan(47_000)
  expect(await manifestIn(sdk)).not.toHaveProperty('dependencies')
})

it('the published command line is a program and its parts, with the licenses of its dependencies', async () => {
  const { paths, size } = await packed(cli)
  const whole = paths.filter((path) => !/^parts\/[\w-]+\.mjs$/.test(path))
  expect(whole).toEqual(['LICENSE', 'README.md', 'licenses.md', 'package.json', 'snipkeep.mjs'])
  // Every tool is in it, with the libraries for YAML and SQL; without them it was below 200 KB. Contracts took 6 KB.
  expect(size).toBeLessThan(388_000)
  const manifest = await manifestIn(cli)
  expect(manifest).toMatchObject({ name: 'snipkeep', bin: { snipkeep: 'snipkeep.mjs' } })
  expect(manifest).not.toHaveProperty('dependencies')
  for (const name of ['commander', 'oauth4webapi', 'uqr'])
    expect(await readFile(join(cli, 'licenses.md'), 'utf8')).toContain(`## ${name}`)
})

it('the command line runs from its tarball, and by npx, without the registry', async () => {
  const { version } = await manifestIn(cli)
  const tarball = tarballs.cli
  const home = join(folder, 'installed')
  const npm = { env: { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' } }
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', home, tarball], npm)
  const installed = await run(join(home, 'node_modules/.bin/snipkeep'), ['--version'])
  expect(installed.stdout.trim()).toBe(version)
  const byNpx = await run('npx', ['--yes', '--package', tarball, 'snipkeep', 'share', '--help'], npm)
  expect(byNpx.stdout).toContain('$ snipkeep share out.csv')
})

it.each(['sdk', 'cli'] as const)('publint has nothing to say about the package of the %s', async (name) => {
  const { buffer } = new Uint8Array(await readFile(tarballs[name]))
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  expect(messages).toEqual([])
})

it('types of the SDK are found by each way of TypeScript to look for them', async () => {
  const checked = await checkPackage(createPackageFromTarballData(await readFile(tarballs.sdk)))
  if (checked.types === false) throw new Error('There are no types.')
  expect(Object.keys(checked.entrypoints)).toEqual(['.', './browser', './node'])
  // Programs in CommonJS need import(), or require() of Node 20.19.
  expect(checked.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([])
})

it('both packages can be searched for, and name the repository whose workflow built them', async () => {
  const { keywords } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(await manifestIn(sdk)).toMatchObject({
    keywords,
    homepage: 'https://git.example/acme/snipkeep#readme',
    repository: { type: 'git', url: 'git+https://git.example/acme/snipkeep.git', directory: 'clients/sdk' },
  })
  expect(await manifestIn(cli)).toMatchObject({ keywords })
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

it('its types accept correct programs in strict mode, and reject wrong ones', async () => {
  const lines = (wrong: string, updated: string) => `
    import { Snipkeep, idToken, type ListedSnippet, type ProblemCode } from '@snipkeep/client'
    const sk = new Snipkeep({ server: 'https://s.example', auth: idToken(async () => 'x') })
    export const code: ProblemCode = 'share_expired'
    export const made = sk.snippets.create({ tool: 'csv', ${wrong} })
    export const size: Promise<number> = made.then(({ size_bytes }) => size_bytes)
    export const updated: ListedSnippet['updated_at'] = ${updated}`
  const check = async (name: string, ...changed: Parameters<typeof lines>) => {
    await writeFile(join(folder, name), lines(...changed))
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
  expect(await check('right.ts', "content: 'a,b'", "''")).toBe('')
  const problems = await check('wrong.ts', "content: 'a,b', json: '{}'", '1')
  for (const place of ['wrong.ts(5,', 'wrong.ts(7,']) expect(problems).toContain(place)
})

it('the SDK does not buffer what it has sent', async () => {
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
