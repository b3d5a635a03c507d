import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const libFolder = dirname(createRequire(import.meta.url).resolve('typescript'))

/** Types, and a document that may be assigned to the one of this name. */
interface Sample {
  readonly json: string
  readonly name: string
  readonly types: string
}

const files = new Map<string, ts.SourceFile>()

function libFile(name: string): ts.SourceFile | undefined {
  const known = files.get(name)
  if (known !== undefined) return known
  const text = ts.sys.readFile(name.startsWith('/') ? name : join(libFolder, name))
  if (text === undefined) return undefined
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
  files.set(name, file)
  return file
}

/** What the compiler says to each document as a literal of its type, all in one program. */
export function assignmentErrors(samples: readonly Sample[]): readonly string[] {
  const sources = new Map(
    samples.map(({ json, name, types }, at) => [
      `/sample-${at}.ts`,
      `${types}\nexport const sample: ${name} = ${json}\n`,
    ]),
  )
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es5.d.ts'],
    types: [],
  }
  const host: ts.CompilerHost = {
    getSourceFile: (name) => {
      const source = sources.get(name)
      return source === undefined ? libFile(name) : ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
    },
    getDefaultLibFileName: () => 'lib.es5.d.ts',
    getDefaultLibLocation: () => libFolder,
    writeFile: () => {},
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => sources.has(name) || ts.sys.fileExists(name),
    readFile: (name) => sources.get(name) ?? ts.sys.readFile(name),
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.text ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
}
