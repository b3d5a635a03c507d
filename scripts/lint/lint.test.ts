import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Files, and what is wrong with each, by line. */
const planted: readonly (readonly [
  path: string,
  lines: readonly (readonly [text: string, found?: string])[],
])[] = [
  [
    'gateway/server/app.ts',
    [
      ['let a = 0', 'state'],
      ['export let b: string | null = null', 'state'],
      ['const c = new Map<string, number>()', 'state'],
      ["const d = new Set(['b'])", 'state'],
      ['const e = new WeakMap<object, number>()', 'state'],
      ['const f = new LRUCache<string, number>({ max: 1 })', 'state'],
      ['const g = new WebAssembly.Instance(code).exports as Exports', 'state'],
      ['const h: string[] = []', 'state'],
      ['export const i: Record<string, number> = {}', 'state'],
      ['const j = createTtlCache({ now })', 'state'],
      ['const k = 1, l = new Map()', 'state'],
      ["const m: ReadonlySet<string> = new Set(['a'])"],
      ['const n: readonly [] = []'],
      ['function o() { let hits = 0; const kept = new Map() }'],
      ['const p = { get a() { return 1 } }'],
      ['function q() { return { get b() { return 1 } } }', 'getter'],
      ['const r = process.env.LOG_LEVEL', 'environment'],
      ['const s = process.env', 'environment'],
      ['// It reads process.env never.'],
      ["const t = { PATH: process.env.PATH ?? '' }"],
      ['const u = Date.now()'],
    ],
  ],
  [
    'gateway/all.ts',
    [
      ["export { a } from './a.js'", 're-export'],
      ["export type { B } from './b.js'", 're-export'],
      ["export * from './c.js'", 're-export'],
      ["export type * from './d.js'", 're-export'],
      ['export { e }'],
    ],
  ],
  ['clients/sdk/exports.ts', [["export * from './snipkeep.js'"]]],
  [
    'services/content/application/create-snippet.ts',
    [
      ['const a = Date.now()', 'input'],
      ['const b = new Date()', 'input'],
      ['const c = Math.random()', 'input'],
      ['const d = process.hrtime()', 'input'],
      ['const e = crypto.randomUUID()', 'input'],
      ['const f = performance.now()', 'input'],
      ['setTimeout(() => {}, 1)', 'input'],
      ['const g = new Date(0)'],
    ],
  ],
  ['services/content/domain/share.test.ts', [['const now = new Date()'], ['let next = process.env']]],
  ['services/web/browser/page.ts', [['let opened = 0']]],
  ['services/content/migrations/0001.ts', [['let opened = 0']]],
  ['services/web/browser/vite.config.ts', [["process.env.NODE_ENV = 'production'"]]],
  ['gateway/main.ts', [['serve(process.env)']]],
  [
    'gateway/app.test.ts',
    [
      ["it.skip('a', () => {})", 'suite'],
      ["describe.only('a', () => {})", 'suite'],
      ["it.concurrent.skip('a')", 'suite'],
      ["xit('a')", 'suite'],
      ["test.todo('a')", 'suite'],
      ["it.fails('a', () => {})", 'suite'],
      ["describe.skipIf(missing)('a', () => {})"],
      ['bytes.skip(1)'],
    ],
  ],
]

const rules: readonly (readonly [rule: string, message: RegExp])[] = [
  ['state', /^State of the module/],
  ['getter', /^Make it a method/],
  ['environment', /^Reads the environment/],
  ['input', /^Reaches for time, chance/],
  ['suite', /^Leaves a test out/],
  ['re-export', /^Passes on what another file/],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-lint-'))
  await cp('biome.json', join(folder, 'biome.json'))
  await cp('scripts/lint', join(folder, 'scripts/lint'), { recursive: true })
  for (const [path, lines] of planted) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `${lines.map(([text]) => text).join('\n')}\n`)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Finding {
  readonly message: string
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}

it('the rules of this folder find what was planted, and nothing else', async () => {
  const biome = resolve('node_modules/.bin/biome')
  const args = ['lint', '--reporter=json', '--max-diagnostics=1000', '--vcs-enabled=false', '.']
  const { stdout } = await promisify(execFile)(biome, args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Finding[] }
  const found = diagnostics.flatMap(({ message, location: { path, start } }) =>
    rules.filter(([, pattern]) => pattern.test(message)).map(([rule]) => `${path}:${start.line}: ${rule}`),
  )
  const expected = planted.flatMap(([path, lines]) =>
    lines.flatMap(([, rule], index) => (rule === undefined ? [] : [`${path}:${index + 1}: ${rule}`])),
  )
  expect([...new Set(found)].sort()).toEqual(expected.sort())
})
