import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source-files.js'

/** An arrow in a diagram of docs/architecture.md: one part of the code uses another. */
type Arrow = 'imports' | 'is imported by' | 'calls'

interface Edge {
  readonly from: string
  readonly arrow: Arrow
  readonly to: string
  /** The gRPC method (`SnippetService.CreateSnippet`) or `HTTP` of a call to another process. */
  readonly label: string
}

const arrows: Readonly<Record<string, Arrow>> = { '-->': 'imports', '==>': 'is imported by', '-.->': 'calls' }
const end = String.raw`(\w+)(?:\["([^"]+)"\])?`

/** The boxes and arrows of a page's diagrams. */
function edgesOf(page: string): readonly Edge[] {
  return [...page.matchAll(/```mermaid\nflowchart TD\n([\s\S]*?)```/g)].flatMap(([, diagram = '']) => {
    const boxes = new Map<string, string>()
    for (const [, id = '', path = ''] of diagram.matchAll(/(\w+)\["([^"]+)"\]/g)) boxes.set(id, path)
    const lines = diagram.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => {
      const found = new RegExp(`^ *${end} (-->|==>|-\\.->)(?:\\|([^|]+)\\|)? ${end}$`).exec(line)
      const [, from = '', , arrow = '', label = '', to = ''] = found ?? []
      const kind = arrows[arrow]
      if (kind === undefined) throw new Error(`not an arrow: ${line}`)
      return { from: boxes.get(from) ?? from, arrow: kind, to: boxes.get(to) ?? to, label }
    })
  })
}

const files = (await sourceFiles('.')).filter(({ path }) => /(?<!\.test)\.ts$/.test(path))

function within(path: string): typeof files {
  return files.filter((file) => file.path === path || (path.endsWith('/') && file.path.startsWith(path)))
}

function importsOf({ path, text }: (typeof files)[number]): readonly string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    const target = fileName.startsWith('#') ? fileName.slice(1) : posix.join(posix.dirname(path), fileName)
    return target.replace(/\.js$/, '.ts')
  })
}

function imports(from: string, to: string): boolean {
  const wanted = new Set(within(to).map(({ path }) => path))
  return within(from)
    .flatMap(importsOf)
    .some((path) => wanted.has(path))
}

/** Whether one side calls this method and the other serves it. */
function calls(from: string, to: string, label: string): boolean {
  const [service = '', method = ''] = label.split('.')
  const name = `${method.slice(0, 1).toLowerCase()}${method.slice(1)}`
  const made = within(from).some(({ text }) => new RegExp(`\\.${name}\\b`).test(text))
  const served = within(to).some(({ text }) => text.includes(service) && new RegExp(`\\b${name}:`).test(text))
  return made && served
}

/** What is wrong with an arrow; `null` if it matches the code. */
function problemOf({ from, arrow, to, label }: Edge): string | null {
  for (const path of [from, to])
    if (!existsSync(path) || statSync(path).isDirectory() !== path.endsWith('/'))
      return `${path} does not exist`
  switch (arrow) {
    case 'imports':
      return imports(from, to) ? null : `${from} does not import ${to}`
    case 'is imported by':
      return imports(to, from) ? null : `${to} does not import ${from}`
    case 'calls':
      return label === 'HTTP' || calls(from, to, label) ? null : `${from} does not call ${label} of ${to}`
    default:
      return arrow satisfies never
  }
}

describe('the diagrams of docs/architecture.md', () => {
  const edges = edgesOf(readFileSync('docs/architecture.md', 'utf8'))

  it('show three requests', () => {
    expect(edges.length).toBeGreaterThan(25)
  })

  it.each(edges)('$from $arrow $to $label', (edge) => {
    expect(problemOf(edge)).toBeNull()
  })

  it.each<[what: string, edge: Edge]>([
    ['a file that is gone', { from: 'gateway/gone.ts', arrow: 'imports', to: 'gateway/http/', label: '' }],
    [
      'an import that is not there',
      { from: 'gateway/http/', arrow: 'imports', to: 'services/content/', label: '' },
    ],
    [
      'a call that is not made',
      {
        from: 'gateway/http/',
        arrow: 'calls',
        to: 'services/content/adapters/grpc-snippets.ts',
        label: 'SnippetService.CreateSnippet',
      },
    ],
  ])('may not show %s', (_what, edge) => {
    expect(problemOf(edge)).not.toBeNull()
  })
})
