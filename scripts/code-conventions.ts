import { functionLengths } from './function-lengths.js'
import { literalGetters } from './literal-getters.js'
import { allowedModuleState, moduleState } from './module-state.js'
import type { SourceFile } from './source-files.js'

/** A rule that no other tool checks; each finding completes "path: …". */
export interface Convention {
  readonly name: string
  find(file: SourceFile): readonly string[]
}

const testCode = /\.test\.tsx?$|-contract\.ts$|\/testing\/|^e2e\/|^bench\//

/** Entry points, which read the environment once and pass it to `readConfig`. */
const readsEnvironment =
  /\/(main|print-token|health-probe)\.ts$|^libs\/runtime\/run-(process|command)\.ts$|^scripts\/|\.mjs$|^vitest\.config\.ts$/

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

/** The lines that match `pattern`, counted from 1, comments excluded. */
function linesWith(text: string, pattern: RegExp): readonly number[] {
  return text.split('\n').flatMap((line, index) => {
    const comment = /^\s*(\/\/|\/?\*)/.test(line)
    return !comment && pattern.test(line) ? [index + 1] : []
  })
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

/** A translation is one file, however long. */
const isLanguage = /\/texts\/[a-z]{2}\.ts$/

const shortFiles: Convention = {
  name: 'a file has at most 300 lines',
  find({ path, text }) {
    const lines = text.split('\n').length - 1
    return (isCode(path) || path.endsWith('.css')) && !isLanguage.test(path) && lines > 300
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

const noBarrels: Convention = {
  name: 'no file only passes on what others export',
  find({ path, text }) {
    if (!isCode(path)) return []
    if (linesWith(text, /^export \* /).length > 0)
      return ['passes on everything of another file; import from there']
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').trim()
    const passedOn = /^(export (type )?\{[^}]*\} from '[^']*'\s*)+$/
    return passedOn.test(code) ? ['only passes on what others export; import from there'] : []
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

const oneWayIn: Convention = {
  name: 'the environment is read by config.ts alone',
  find({ path, text }) {
    if (!isCode(path) || testCode.test(path) || readsEnvironment.test(path)) return []
    // PATH is not one of our settings: code that starts programs passes it on and may not set it.
    const lines = linesWith(text, /process\.env(?!\.PATH\b|\.\w+ = )/)
    return lines.map((line) => `line ${line} reads process.env; declare a variable in config.ts`)
  },
}

const noHiddenInputs: Convention = {
  name: 'time, chance and environment come into rules and use cases through ports',
  find({ path, text }) {
    const pure = /^services\/[^/]+\/(domain|application)\/|^services\/[^/]+\/ports\.ts$|^libs\/core\//
    if (!pure.test(path) || testCode.test(path)) return []
    const hidden =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bperformance\.now\(|\bcrypto\.|\bset(Timeout|Interval)\(/
    return linesWith(text, hidden).map(
      (line) => `line ${line} reaches for time, chance or the process; ask a port`,
    )
  },
}

const wholeSuites: Convention = {
  name: 'every test runs',
  find({ path, text }) {
    if (!/\.tsx?$/.test(path) || path.startsWith('scripts/code-conventions')) return []
    const lines = linesWith(
      text,
      /\b(it|test|describe|suite)(\.\w+)*\.(skip|only|todo|fails)\b|\bx(it|describe)\(/,
    )
    return lines.map(
      (line) => `line ${line} leaves a test out or alone; where one cannot run, skipIf says why`,
    )
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

/** Code of long-running processes; browser pages, commands and migrations run once. */
const runsInProcesses = /^(gateway|libs|shared|services)\/.*\.ts$/
const runsOnce = /^services\/web\/browser\/|\/migrations\//

const noModuleState: Convention = {
  name: 'no module keeps state, so that two gateways fit into one process',
  find({ path, text }) {
    const isJudged = runsInProcesses.test(path) && !testCode.test(path) && !runsOnce.test(path)
    if (!isJudged || allowedModuleState[path] !== undefined) return []
    return moduleState(text, path).map(
      ({ line, name }) =>
        `line ${line}: ${name} is state of the module; give it to who is made with it, or make it readonly`,
    )
  },
}

const noLiteralGetters: Convention = {
  name: 'getters belong to classes: V8 gives each object literal with one a hidden class of its own',
  find({ path, text }) {
    if (!runsInProcesses.test(path) || testCode.test(path) || runsOnce.test(path)) return []
    return literalGetters(text, path).map(
      ({ line, name }) => `line ${line}: make ${name} a method, or the object an instance of a class`,
    )
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
  noBarrels,
  shortMains,
  oneWayIn,
  noHiddenInputs,
  wholeSuites,
  documentedExports,
  noModuleState,
  noLiteralGetters,
  noVagueDebts,
  exactVersions,
]

/** All violations in these files, one per line. */
export function findConventionProblems(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) =>
    conventions.flatMap((rule) => rule.find(file).map((problem) => `${file.path}: ${problem}`)),
  )
}
