import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { conventions, findConventionProblems } from './code-conventions.js'
import { allowedModuleState, moduleState } from './module-state.js'

interface Plant {
  readonly rule: string
  readonly path: string
  readonly text: string
  readonly found: readonly string[]
}

const long = 'const here = 1\n'

const plants: readonly Plant[] = [
  {
    rule: 'a file has at most 300 lines',
    path: 'gateway/long.ts',
    text: long.repeat(301),
    found: ['gateway/long.ts: has 301 lines; split it by subject, 300 is the most'],
  },
  {
    rule: 'a file has at most 300 lines',
    path: 'services/web/texts/text.ts',
    text: long.repeat(301),
    found: ['services/web/texts/text.ts: has 301 lines; split it by subject, 300 is the most'],
  },
  {
    rule: 'a file has at most 300 lines',
    path: 'services/web/browser/long.css',
    text: '.a {}\n'.repeat(301),
    found: ['services/web/browser/long.css: has 301 lines; split it by subject, 300 is the most'],
  },
  {
    rule: 'a function has at most 60 lines of its own',
    path: 'gateway/server/app.ts',
    text: `function a() {\n${long.repeat(59)}}\n`,
    found: ['gateway/server/app.ts: line 1: a has 61 lines of its own; 60 is the most'],
  },
  ...['index', 'utils', 'string-helpers', 'common', 'snippet-manager', 'store-impl'].map((name) => ({
    rule: 'names say what is inside',
    path: `libs/text/${name}.ts`,
    text: long,
    found: [`libs/text/${name}.ts: "${name}" says nothing about what is inside; name it after that`],
  })),
  {
    rule: 'names say what is inside',
    path: 'libs/common/text.ts',
    text: long,
    found: ['libs/common/text.ts: "common" says nothing about what is inside; name it after that'],
  },
  {
    rule: 'no file only passes on what others export',
    path: 'gateway/all.ts',
    text: "// All of it.\nexport { a } from './a.js'\nexport type { B } from './b.js'\n",
    found: ['gateway/all.ts: only passes on what others export; import from there'],
  },
  {
    rule: 'no file only passes on what others export',
    path: 'gateway/more.ts',
    text: "export * from './a.js'\nconst b = 1\n",
    found: ['gateway/more.ts: passes on everything of another file; import from there'],
  },
  {
    rule: 'a main.ts has fewer than 20 lines',
    path: 'services/content/main.ts',
    text: long.repeat(20),
    found: ['services/content/main.ts: has 20 lines; what it does belongs in wire.ts'],
  },
  {
    rule: 'the environment is read by config.ts alone',
    path: 'gateway/server/app.ts',
    text: 'const port = 1\nconst level = process.env.LOG_LEVEL\nconst all = process.env\n',
    found: [
      'gateway/server/app.ts: line 2 reads process.env; declare a variable in config.ts',
      'gateway/server/app.ts: line 3 reads process.env; declare a variable in config.ts',
    ],
  },
  ...['Date.now()', 'new Date()', 'Math.random()', 'process.hrtime()', 'crypto.randomUUID()'].map(
    (hidden) => ({
      rule: 'time, chance and environment come into rules and use cases through ports',
      path: 'services/content/application/create-snippet.ts',
      text: `const hidden = ${hidden}\n`,
      found: [
        'services/content/application/create-snippet.ts: line 1 reaches for time, chance or the process; ask a port',
      ],
    }),
  ),
  ...["it.skip('a', () => {})", "describe.only('a', () => {})", "it.concurrent.skip('a')", "xit('a')"].map(
    (text) => ({
      rule: 'every test runs',
      path: 'gateway/app.test.ts',
      text: `${text}\n`,
      found: [
        'gateway/app.test.ts: line 1 leaves a test out or alone; where one cannot run, skipIf says why',
      ],
    }),
  ),
  {
    rule: 'what other modules import says what it promises',
    path: 'libs/http/app.ts',
    text: '/** Told. */\nexport const a = 1\n\nexport async function b(): Promise<void> {}\nexport type C = 1\n',
    found: [
      'libs/http/app.ts: line 4 exports b without a doc comment',
      'libs/http/app.ts: line 5 exports C without a doc comment',
    ],
  },
  ...[
    'let a = 0',
    'export let a: string | null = null',
    'const a = new Map<string, number>()',
    "const a = new Set(['b'])",
    'const a = new WeakMap<object, number>()',
    'const a = new LRUCache<string, number>({ max: 1 })',
    'const a = new WebAssembly.Instance(code).exports as Exports',
    'const a: string[] = []',
    'export const a: Record<string, number> = {}',
    'const a = createTtlCache({ now })',
  ].map((text) => ({
    rule: 'no module keeps state, so that two gateways fit into one process',
    path: 'gateway/server/app.ts',
    text: `// A line.\n${text}\n`,
    found: [
      'gateway/server/app.ts: line 2: a is state of the module; give it to who is made with it, or make it readonly',
    ],
  })),
  {
    rule: 'getters belong to classes: V8 gives each object literal with one a hidden class of its own',
    path: 'libs/a.ts',
    text: 'const once = { get a() { return 1 } }\nfunction f() {\n  return {\n    get b() { return 1 },\n  }\n}\n',
    found: ['libs/a.ts: line 4: make b a method, or the object an instance of a class'],
  },
  {
    rule: 'deferred work names its issue',
    path: 'gateway/server/app.ts',
    text: '// TODO: later\n// TODO(#12): known\n',
    found: ['gateway/server/app.ts: line 1 owes work without an issue'],
  },
  {
    rule: 'package.json names exact versions',
    path: 'package.json',
    text: JSON.stringify(
      { dependencies: { pg: '^8.0.0', zod: '4.6.7' }, devDependencies: { tsx: 'latest' } },
      null,
      2,
    ),
    found: [
      'package.json: asks for pg ^8.0.0; name one version exactly',
      'package.json: asks for tsx latest; name one version exactly',
    ],
  },
]

const innocent: readonly { path: string; text: string }[] = [
  { path: 'gateway/whole.ts', text: long.repeat(300) },
  {
    path: 'gateway/store.ts',
    text: `function store() {\n  return {\n    a() {\n${long.repeat(50)}},\n    b: () => {\n${long.repeat(50)}},\n  }\n}\n`,
  },
  { path: 'services/content/main.ts', text: `${long.repeat(18)}const env = process.env\n` },
  { path: 'libs/postgres/start.ts', text: "const env = { PATH: process.env.PATH ?? '' }\n" },
  { path: 'services/web/browser/vite.config.ts', text: "process.env.NODE_ENV = 'production'\n" },
  { path: 'gateway/server/app.ts', text: '// It reads process.env never.\nconst now = Date.now()\n' },
  { path: 'gateway/app.test.ts', text: "const env = process.env\ndescribe.skipIf(missing)('a', () => {})\n" },
  { path: 'services/content/domain/share.test.ts', text: 'const now = new Date()\n' },
  { path: 'services/content/domain/share.ts', text: 'const at = new Date(0)\n' },
  { path: 'libs/postgres/pool.ts', text: "/** Told. */\nexport const a = 1\nexport { b } from './b.js'\n" },
  { path: 'gateway/cache.ts', text: 'function cache() {\n  let hits = 0\n  const kept = new Map()\n}\n' },
  {
    path: 'gateway/names.ts',
    text: "const names: ReadonlySet<string> = new Set(['a'])\nconst none: readonly [] = []\n",
  },
  { path: 'libs/testing/ports.ts', text: '/** The next one. */\nexport let next = 0\n' },
  { path: 'services/web/browser/page.ts', text: 'let opened = 0\n' },
  { path: 'services/web/texts/de.ts', text: long.repeat(301) },
  {
    path: 'gateway/read.ts',
    text: '/** Told. */\nexport function a(b: 1): 1\nexport function a(b: 2): 2\nexport function a(b: 1 | 2): 1 | 2 {}\n',
  },
  {
    path: 'package.json',
    text: JSON.stringify({ engines: { node: '>=20.19' }, dependencies: { pg: '18.4.0-beta.17' } }, null, 2),
  },
]

describe('the code conventions', () => {
  it.each(plants)('$rule: $path', ({ path, text, found }) => {
    expect(findConventionProblems([{ path, text }])).toEqual(found)
  })

  it('have a planted violation each', () => {
    expect([...new Set(plants.map(({ rule }) => rule))]).toEqual(conventions.map(({ name }) => name))
  })

  it('exempt only modules with state, each with a reason', async () => {
    for (const [path, why] of Object.entries(allowedModuleState)) {
      expect(moduleState(await readFile(path, 'utf8')), path).not.toEqual([])
      expect(why).not.toBe('')
    }
  })

  it.each(innocent)('find nothing wrong with $path', (file) => {
    expect(findConventionProblems([file])).toEqual([])
  })
})
