import { readdirSync, readFileSync } from 'node:fs'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const folder = '.github/workflows'
const workflows = readdirSync(folder)
  .sort()
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))
const { scripts: commands, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const scripts = Object.keys(commands)

function problemsOf(name: string, content: string): readonly string[] {
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(String)
}

/** The workflows that a page shows. */
function workflowsIn(page: string): readonly string[] {
  const fences = [...readFileSync(page, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
  // CircleCI's configuration has jobs, too, and begins with its version.
  return fences
    .map(([, text = '']) => text)
    .filter((text) => /^jobs:/m.test(text) && !/^version:/m.test(text))
}

/** The package.json scripts that a text runs. */
function scriptsIn(text: string): readonly string[] {
  return [...text.matchAll(/npm (?:run (?:--silent )?([\w:]+)|(test)\b)/g)].map(
    ([, script, test]) => script ?? test ?? '',
  )
}

describe('workflows', () => {
  it.each(workflows)('$name is valid by GitHub’s schema', ({ name, text }) => {
    expect(problemsOf(name, text)).toEqual([])
  })

  it.each(['docs/ci.md', 'docs/recipes.md'])('in %s are so, too', (page) => {
    const shown = workflowsIn(page)
    expect(shown).not.toEqual([])
    expect(shown.flatMap((text) => problemsOf(page, text))).toEqual([])
  })

  it('with a misspelled key or expression are detected', () => {
    const job = (more: string): string => `on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n${more}`
    expect(problemsOf('fine', job('    steps: [{ run: ls }]\n'))).toEqual([])
    expect(problemsOf('key', job('    step: [{ run: ls }]\n'))).not.toEqual([])
    expect(problemsOf('expression', job(`    steps: [{ run: "$\{{ githb.sha }}" }]\n`))).not.toEqual([])
  })

  it.each(workflows)('$name runs only existing commands, and each job has a timeout', ({ text }) => {
    expect(scriptsIn(text).filter((script) => !scripts.includes(script))).toEqual([])
    const { jobs, permissions } = parse(text)
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values<Record<string, unknown>>(jobs))
      expect(job['timeout-minutes']).toBeTypeOf('number')
  })

  it('together run every stage, on every supported version of Node', () => {
    const all = workflows.flatMap(({ text }) => scriptsIn(text))
    expect(all).toEqual(expect.arrayContaining(['check', 'test', 'test:ci', 'test:nightly', 'test:previous']))
    const ci = parse(workflows.find(({ name }) => name === 'ci.yml')?.text ?? '')
    expect(ci.jobs.test.strategy.matrix.node).toEqual([20, 22, 24])
  })

  it('publish a version’s part of CHANGELOG.md, which exists for that of package.json', () => {
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${version} (`)
  })
})
