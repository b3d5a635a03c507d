import { describe, expect, it } from 'vitest'
import { conventions, findConventionProblems } from './code-conventions.js'

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
    rule: 'a main.ts has fewer than 20 lines',
    path: 'services/content/main.ts',
    text: long.repeat(20),
    found: ['services/content/main.ts: has 20 lines; what it does belongs in wire.ts'],
  },
  {
    rule: 'what other modules import says what it promises',
    path: 'libs/http/app.ts',
    text: '/** Told. */\nexport const a = 1\n\nexport async function b(): Promise<void> {}\nexport type C = 1\n',
    found: [
      'libs/http/app.ts: line 4 exports b without a doc comment',
      'libs/http/app.ts: line 5 exports C without a doc comment',
    ],
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
  { path: 'services/content/main.ts', text: long.repeat(19) },
  { path: 'libs/postgres/pool.ts', text: "/** Told. */\nexport const a = 1\nexport { b } from './b.js'\n" },
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

  it.each(innocent)('find nothing wrong with $path', (file) => {
    expect(findConventionProblems([file])).toEqual([])
  })
})
