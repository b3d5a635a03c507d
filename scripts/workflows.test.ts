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

const inputsOfAction = Object.keys(parse(readFileSync('clients/action/action.yml', 'utf8')).inputs)
const [header = ''] = readFileSync('clients/gitlab/templates/snipkeep.yml', 'utf8').split(/^---$/m)
const inputsOfComponent = Object.keys(parse(header).spec.inputs)

type Given = Readonly<Record<string, unknown>>

/** The inputs that the examples of docs/ci.md give to the Action or to the component. */
function examplesOf(which: string): readonly Given[] {
  const fences = [...readFileSync('docs/ci.md', 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
  return fences.flatMap(([, text = '']): readonly Given[] => {
    const { jobs = {}, include = [] } = parse(text)
    if (which === 'component') return include.map(({ inputs }: { inputs: Given }) => inputs)
    const steps = Object.values<{ steps: { uses?: string; with: Given }[] }>(jobs).flatMap((job) => job.steps)
    return steps.filter(({ uses }) => uses?.endsWith('/snipkeep') === true).map((step) => step.with)
  })
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

  it.each(['Action', 'component'])('an example of docs/ci.md has checks by the %s', (which) => {
    const found = examplesOf(which).filter(({ check }) => check !== undefined)
    expect(found.map(({ check }) => check)).toEqual(which === 'Action' ? ['@prices'] : ['@prices', '@prices'])
    const known = which === 'Action' ? inputsOfAction : inputsOfComponent
    for (const inputs of examplesOf(which)) expect(known).toEqual(expect.arrayContaining(Object.keys(inputs)))
    const [onRequests] = found
    const isOnPush = "github.event_name == 'push'"
    expect([onRequests?.share, onRequests?.accept]).toEqual(
      which === 'Action'
        ? [`$\{{ ${isOnPush} }}`, `$\{{ ${isOnPush} && 'allowed' || 'never' }}`]
        : [false, 'never'],
    )
  })

  it('settings named in sentences are YAML, too', () => {
    const pages = ['CHANGELOG.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
    const texts = pages.filter((name) => name.endsWith('.md')).map((name) => readFileSync(name, 'utf8'))
    const settings = texts.flatMap((text) =>
      [...text.matchAll(/`(check: [^`\n]+)`/g)].map(([, one = '']) => one),
    )
    expect(settings.map((one) => parse(one))).toContainEqual({ check: '@prices' })
    expect(() => parse('check: @prices')).toThrow()
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
