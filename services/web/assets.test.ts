import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readAssets } from './assets.js'

const light = ['landing/main.ts', 'share/main.ts', 'share/embed.ts', 'compare/main.ts']
const ofTools = ['tool-list/main.ts', 'tools/main.ts', 'tools-offline/main.ts']
const entryNames = [...light, ...ofTools, 'dashboard/main.tsx', 'api-reference/main.ts']
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-assets-'))
  await mkdir(join(folder, 'assets'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function build(manifest: object, files: readonly string[] = []): Promise<void> {
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  for (const name of files)
    for (const coding of ['', '.br', '.gz'])
      await writeFile(join(folder, 'assets', name + coding), `${name}${coding}`)
}

it('without a build the process says which command to run', async () => {
  await expect(readAssets('/nowhere')).rejects.toThrow(
    'The scripts of the pages are not built: run npm run build, which makes /nowhere/manifest.json.',
  )
  await build(Object.fromEntries([...light, ...ofTools].map((name) => [name, { file: 'assets/a.js' }])))
  await expect(readAssets(folder)).rejects.toThrow('The build of the pages has no dashboard/main.tsx.')
})

it('a page has its own styles and those of its script’s static imports', async () => {
  await build({
    'share/main.ts': {
      file: 'assets/share-1.js',
      css: ['assets/share-2.css'],
      imports: ['_viewer.js', '_texts.js'],
      dynamicImports: ['viewer/tree-view.ts'],
    },
    '_viewer.js': {
      file: 'assets/viewer-3.js',
      css: ['assets/viewer-4.css'],
      imports: ['_texts.js', '_viewer.js'],
    },
    '_texts.js': { file: 'assets/texts-5.js', css: ['assets/texts-6.css'] },
    'viewer/tree-view.ts': { file: 'assets/tree-7.js', css: ['assets/tree-8.css'] },
    'share/embed.ts': { file: 'assets/embed-1.js', imports: ['_viewer.js'] },
    'compare/main.ts': { file: 'assets/compare-1.js' },
    'landing/main.ts': { file: 'assets/landing-1.js' },
    ...Object.fromEntries(ofTools.map((name) => [name, { file: 'assets/tools-1.js' }])),
    'dashboard/main.tsx': { file: 'assets/dashboard-9.js' },
    'api-reference/main.ts': { file: 'assets/reference-10.js' },
  })
  const assets = await readAssets(folder)
  expect(assets.of('share')).toEqual({
    script: '/assets/share-1.js',
    styles: ['/assets/texts-6.css', '/assets/viewer-4.css', '/assets/share-2.css'],
  })
  expect(assets.of('dashboard')).toEqual({ script: '/assets/dashboard-9.js', styles: [] })
})

it('scripts and styles are found by their URLs, as they are and compressed, and nothing else is', async () => {
  const entries = Object.fromEntries(entryNames.map((name) => [name, { file: 'assets/a.js' }]))
  await build(entries, ['a.js', 'a.css', 'a.map'])
  const assets = await readAssets(folder)
  expect(String(await assets.find('/assets/a.js')?.read('br'))).toBe('a.js.br')
  expect(String(await assets.find('/assets/a.css')?.read('gzip'))).toBe('a.css.gz')
  for (const path of [
    '/assets/a.map',
    '/assets/a.js.br',
    '/assets/',
    '/manifest.json',
    '/assets/../manifest.json',
  ])
    expect(assets.find(path), path).toBeUndefined()
})

it('a page reaches what its files name, and what those name', async () => {
  const entries = Object.fromEntries(entryNames.map((name) => [name, { file: 'assets/a-1.js' }]))
  await build({ ...entries, 'tools/main.ts': { file: 'assets/tool-1.js', css: ['assets/tool-2.css'] } })
  const files = {
    'tool-1.js': 'import"./viewer-3.js";new Worker("/assets/tool-worker-4.js")',
    'tool-2.css': '.a{color:red}',
    'viewer-3.js': 'import("./tree-5.js");import"./tool-1.js"',
    'tool-worker-4.js': 'const load=()=>import("./hash-6.js")',
    'tree-5.js': 'fetch("nothing-7.js")',
    'hash-6.js': '',
    'dashboard-8.js': '',
  }
  for (const [name, content] of Object.entries(files))
    for (const coding of ['', '.br', '.gz']) await writeFile(join(folder, 'assets', name + coding), content)
  const assets = await readAssets(folder)
  expect([...(await assets.reachable(['tool']))].sort()).toEqual(
    Object.keys(files)
      .filter((name) => name !== 'dashboard-8.js')
      .map((name) => `/assets/${name}`)
      .sort(),
  )
})

it('a large file is not kept in memory', async () => {
  const chunk = { file: 'assets/a.js' }
  await build(Object.fromEntries(entryNames.map((name) => [name, chunk])), ['a.js'])
  const path = join(folder, 'assets', 'large.js')
  for (const coding of ['', '.br', '.gz']) await writeFile(path + coding, 'x'.repeat(600 * 1024))
  const large = (await readAssets(folder)).find('/assets/large.js')
  await writeFile(`${path}.br`, 'changed')
  expect(String(await large?.read('br'))).toBe('changed')
  expect((await large?.read(null))?.length).toBe(600 * 1024)
})
