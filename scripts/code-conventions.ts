import ts from 'typescript'
import type { SourceFile } from './source-files.js'

/** A function, its line, and its own length. */
interface FunctionLength {
  readonly name: string
  readonly line: number
  readonly ownLines: number
}

/** Whether this is the literal that a function returns, be it a table or the methods of a port. */
function isReturnedLiteral(node: ts.Node): boolean {
  if (!ts.isArrayLiteralExpression(node) && !ts.isObjectLiteralExpression(node)) return false
  const parent = ts.isParenthesizedExpression(node.parent) ? node.parent.parent : node.parent
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent)
}

/**
 * The length of every function in a source text. Lines of a nested function count only for that one, and a
 * returned literal does not count, so neither a factory of many methods nor a long table makes a long
 * function.
 */
export function functionLengths(text: string, path = 'source.ts'): readonly FunctionLength[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const lengths: FunctionLength[] = []

  /** Visits a node and returns the number of its lines that are not its function's own. */
  const visit = (node: ts.Node): number => {
    const lines = lineOf(node.getEnd()) - lineOf(node.getStart(source)) + 1
    let notOwn = 0
    ts.forEachChild(node, (child) => {
      notOwn += visit(child)
    })
    if (isReturnedLiteral(node)) return lines - 1
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return notOwn
    const name = node.name?.getText(source) ?? 'a function'
    lengths.push({ name, line: lineOf(node.getStart(source)) + 1, ownLines: lines - notOwn })
    return lines - 1
  }

  visit(source)
  return lengths
}

/** A rule that no other tool checks; each finding completes "path: …". */
export interface Convention {
  readonly name: string
  find(file: SourceFile): readonly string[]
}

const testCode = /\.test\.tsx?$|-contract\.ts$|\/testing\/|^e2e\/|^bench\//

const emptyNames = new Set([
  'index',
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'base',
  'manager',
  'impl',
])

function isCode(path: string): boolean {
  return /\.(tsx?|mjs)$/.test(path)
}

function exportsOf(text: string): readonly { line: number; name: string; before: string }[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const found =
      /^export (?:default |declare |abstract |async )*(?:function\*?|const|class|interface|type) (\w+)/.exec(
        line,
      )
    const name = found?.[1]
    return name === undefined ? [] : [{ line: index + 1, name, before: lines[index - 1] ?? '' }]
  })
}

const shortFiles: Convention = {
  name: 'a file has at most 300 lines',
  find({ path, text }) {
    const lines = text.split('\n').length - 1
    return (isCode(path) || path.endsWith('.css')) && lines > 300
      ? [`has ${lines} lines; split it by subject, 300 is the most`]
      : []
  },
}

const shortFunctions: Convention = {
  name: 'a function has at most 60 lines of its own',
  find({ path, text }) {
    if (!/\.tsx?$/.test(path) || testCode.test(path)) return []
    return functionLengths(text, path)
      .filter(({ ownLines }) => ownLines > 60)
      .map(
        ({ name, line, ownLines }) =>
          `line ${line}: ${name} has ${ownLines} lines of its own; 60 is the most`,
      )
  },
}

const tellingNames: Convention = {
  name: 'names say what is inside',
  find({ path }) {
    const parts = path.replace(/\.[^/]*$/, '').split('/')
    const empty = parts.filter((part) => emptyNames.has(part.split('-').at(-1) ?? ''))
    return isCode(path)
      ? empty.map((part) => `"${part}" says nothing about what is inside; name it after that`)
      : []
  },
}

const shortMains: Convention = {
  name: 'a main.ts has fewer than 20 lines',
  find({ path, text }) {
    const lines = text.split('\n').length - 1
    return /^(gateway|services\/[^/]+)\/main\.ts$/.test(path) && lines >= 20
      ? [`has ${lines} lines; what it does belongs in wire.ts`]
      : []
  },
}

/** What other modules import: the libraries, what processes share, and the ports of a service. */
const isContract = /^(libs|shared)\/.*\.tsx?$|^services\/[^/]+\/ports\.ts$/

const documentedExports: Convention = {
  name: 'what other modules import says what it promises',
  find({ path, text }) {
    if (!isContract.test(path) || testCode.test(path)) return []
    const exported = exportsOf(text)
    return exported
      .filter(({ line, name, before }) => {
        const overload = exported.some((other) => other.name === name && other.line < line)
        return !overload && !before.trimEnd().endsWith('*/')
      })
      .map(({ line, name }) => `line ${line} exports ${name} without a doc comment`)
  },
}

const noVagueDebts: Convention = {
  name: 'deferred work names its issue',
  find({ path, text }) {
    if (!isCode(path) || path.startsWith('scripts/code-conventions')) return []
    return text
      .split('\n')
      .flatMap((line, index) =>
        /\b(TODO(?!\(#\d+\))|FIXME|XXX|HACK)\b/.test(line)
          ? [`line ${index + 1} owes work without an issue`]
          : [],
      )
  },
}

const exactVersions: Convention = {
  name: 'package.json names exact versions',
  find({ path, text }) {
    if (path !== 'package.json') return []
    const groups = /"(?:optionalD|devD|peerD|d)ependencies": \{([^}]*)\}/g
    const entries = [...text.matchAll(groups)].flatMap(([, group = '']) => [
      ...group.matchAll(/"([^"]+)": "([^"]+)"/g),
    ])
    return entries
      .filter(([, , version = '']) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([, name, version]) => `asks for ${name} ${version}; name one version exactly`)
  },
}

/** Every convention, each with a planted violation in the tests. */
export const conventions: readonly Convention[] = [
  shortFiles,
  shortFunctions,
  tellingNames,
  shortMains,
  documentedExports,
  noVagueDebts,
  exactVersions,
]

/** All violations in these files, one per line. */
export function findConventionProblems(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) =>
    conventions.flatMap((rule) => rule.find(file).map((problem) => `${file.path}: ${problem}`)),
  )
}
