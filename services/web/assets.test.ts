import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pageLanguages } from '#shared/core/page-language.js'
import { manifestName, type PageName, pageNames, readAssets } from './assets.js'
import { guidesFile } from './guides.js'
import { testAssets } from './testing/test-assets.js'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-assets-'))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, 'images'))
  await mkdir(join(folder, 'manifests'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A build whose pages have the script `a.js` and nothing else, except for these. */
async function build(
  manifests: Partial<Record<PageName, object>>,
  files: readonly string[] = [],
): Promise<void> {
  const plain = { 'main.ts': { file: 'assets/a.js', isEntry: true } }
  for (const language of pageLanguages)
    for (const page of pageNames)
      await writeFile(
        join(folder, 'manifests', manifestName(page, language)),
        JSON.stringify(manifests[page] ?? plain),
      )
  await writeFile(join(folder, guidesFile), JSON.stringify(testAssets.guides))
  for (const name of files)
    for (const coding of ['', '.br', '.gz'])
      await writeFile(join(folder, 'assets', name + coding), `${name}${coding}`)
}

it('without a build the process says which command to run', async () => {
  await expect(readAssets('/nowhere')).rejects.toThrow(
    'The scripts of the pages are not built: run npm run build, which makes /nowhere/manifests/landing.json.',
  )
  await build({ dashboard: { 'app.tsx': { file: 'assets/app.js' } } })
  await expect(readAssets(folder)).rejects.toThrow('The build of the page dashboard has no entry.')
})

it('a page has one script and at most one style sheet, and the guides are as the build has rendered them', async () => {
  await build({
    share: {
      'share/main.ts': { file: 'assets/share-1.js', isEntry: true, css: ['assets/share-2.css'] },
      'viewer/rendered-view.ts': { file: 'assets/rendered-3.js', imports: ['share/main.ts'] },
    },
  })
  const assets = await readAssets(folder)
  expect(assets.guides).toEqual(testAssets.guides)
  expect(assets.of('share')).toEqual({ script: '/assets/share-1.js', style: '/assets/share-2.css' })
  expect(assets.of('dashboard')).toEqual({ script: '/assets/a.js', style: null })
})

it.each([
  ['two style sheets', { css: ['assets/1.css', 'assets/2.css'] }],
  ['a script that imports another one', { imports: ['_text.js'] }],
])('a build of %s for one page is refused', async (_name, more) => {
  await build({ share: { 'share/main.ts': { file: 'assets/share.js', isEntry: true, ...more } } })
  await expect(readAssets(folder)).rejects.toThrow(
    'The page share would load more than one script and one style sheet.',
  )
})

it('scripts and styles are found by their URLs, as they are and compressed, and nothing else is', async () => {
  await build({}, ['a.js', 'a.css', 'a.map'])
  const assets = await readAssets(folder)
  expect(String(await assets.find('/assets/a.js')?.read('br'))).toBe('a.js.br')
  expect(String(await assets.find('/assets/a.css')?.read('gzip'))).toBe('a.css.gz')
  for (const path of [
    '/assets/a.map',
    '/assets/a.js.br',
    '/assets/',
    '/manifests/share.json',
    '/assets/../manifests/share.json',
  ])
    expect(assets.find(path), path).toBeUndefined()
})

it('a page reaches what its files name, and what those name', async () => {
  const tool = { file: 'assets/tool-1.js', isEntry: true, css: ['assets/tool-2.css'] }
  await build({ tool: { 'tools/main.ts': tool } })
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
