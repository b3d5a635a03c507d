import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { sourceFiles } from './source-files.js'

/** A regular expression in the source. */
interface Literal {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/**
 * A linear expression needs a second of the processor at most for all of its strings; any other needs minutes for one of
 * them.
 */
const full = { length: 100_000, limitMs: 20_000 }
/** Whatever takes quadratic time and exceeds the limit above exceeds this one, too. */
const first = { length: 20_000, limitMs: 800 }

type Effort = typeof full

/** Without `*`, `+` or an open `{n,}`, each position takes a bounded number of steps. */
const repeats = ({ source }: Literal): boolean => /[*+]|\{\d+,\}/.test(source)

function literalsIn(path: string, text: string): Literal[] {
  const found: Literal[] = []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
      found.push({
        place: `${path}:${line}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Long runs of what the expression itself matches, each with an unexpected end. */
function hostileStrings({ source }: Literal, length: number): string[] {
  const plain = source.replaceAll(/\\[pP]\{[^}]*\}|\\[a-zA-Z]|[\\^$.|?*+()[\]{}]/g, '')
  const characters = [
    ...new Set([...plain, 'a', '0', ' ', '\n', '-', '"', '\\', '/', '<', '~', '.', '=', 'é']),
  ]
  const pairs = characters.slice(0, 6).flatMap((one) => characters.slice(0, 6).map((other) => one + other))
  return [...characters, ...pairs].flatMap((unit) => {
    const run = unit.repeat(Math.ceil(length / unit.length))
    return [run, `${run}!`, `${source.replaceAll(/[\\^$]/g, '').slice(0, 20)}${run}\u0000`]
  })
}

const program = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ source, flags, strings }) => {
    for (const text of strings) {
      const expression = new RegExp(source, flags)
      expression.test(text)
      text.replace(expression, '')
    }
    parentPort.postMessage('done')
  })`

/** Tries expressions one after another, in a thread that is replaced when one hangs. */
function createTrial() {
  let worker = new Worker(program, { eval: true })
  return {
    async endsInTime(literal: Literal, { length, limitMs }: Effort): Promise<boolean> {
      worker.postMessage({ ...literal, strings: hostileStrings(literal, length) })
      const before = process.cpuUsage()
      const watch = new AbortController()
      // The time of the processor, since this thread only waits: how busy the machine is does not count.
      const timer = setInterval(() => {
        if (process.cpuUsage(before).user > limitMs * 1_000) watch.abort()
      }, 50)
      try {
        await once(worker, 'message', { signal: watch.signal })
        return true
      } catch (error) {
        if (!watch.signal.aborted) throw error
        await worker.terminate()
        worker = new Worker(program, { eval: true })
        return false
      } finally {
        clearInterval(timer)
      }
    },
    end: () => worker.terminate(),
  }
}

it('a backtracking expression is detected', { timeout: 600_000 }, async () => {
  const trial = createTrial()
  for (const source of ['^(a+)+$', 'a+$', 'a']) {
    const planted = { place: 'planted', source, flags: '' }
    expect(await trial.endsInTime(planted, { ...full, limitMs: 2_500 }), source).toBe(source === 'a')
    expect(repeats(planted)).toBe(source !== 'a')
  }
  const exponential = { place: 'planted', source: '^(a+)+$', flags: '' }
  expect(await trial.endsInTime(exponential, first)).toBe(false)
  await trial.end()
})

it('none of our regular expressions backtracks without end on 100 KB of hostile text', {
  timeout: 600_000,
}, async () => {
  const production = (await sourceFiles('.')).filter(
    ({ path }) =>
      /^(gateway|services|shared|libs|engine)\/.*\.tsx?$/.test(path) &&
      !/\.test\.ts$|-contract\.ts$|\/testing\//.test(path),
  )
  const literals = production.flatMap(({ path, text }) => literalsIn(path, text))
  const different = [...new Map(literals.map((one) => [`/${one.source}/${one.flags}`, one]))]
  expect(different.length).toBeGreaterThan(30)
  const trial = createTrial()
  const slow: string[] = []
  for (const [expression, literal] of different) {
    if (!repeats(literal) || (await trial.endsInTime(literal, first))) continue
    if (!(await trial.endsInTime(literal, full))) slow.push(`${literal.place} ${expression}`)
  }
  await trial.end()
  expect(slow).toEqual([])
})
