import { readdirSync, readFileSync } from 'node:fs'
import { NoOperationTraceWriter } from '@actions/workflow-parser'
import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const folder = 'clients/action'
const text = readFileSync(`${folder}/action.yml`, 'utf8')
const action = parse(text)
const code = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n')

function problemsOf(content: string): readonly string[] {
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(String)
}

describe('the GitHub Action', () => {
  it('is valid by GitHub’s schema', () => {
    expect(problemsOf(text)).toEqual([])
    expect(problemsOf(text.replace('main:', 'mains:'))).not.toEqual([])
  })

  it('runs what is committed, on Node 24', () => {
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/index.mjs' })
    expect(readFileSync(`${folder}/${action.runs.main}`, 'utf8')).toContain('process.exitCode')
  })

  it('declares exactly its inputs and outputs', () => {
    const read = [...code.matchAll(/(?:input\(|oneOf\(runner, )'([\w-]+)'/g)].map(([, name]) => name)
    expect(Object.keys(action.inputs).sort()).toEqual([...new Set(read)].sort())
    const results = [
      'id',
      'name',
      'share_url',
      'raw_url',
      'changed',
      'equal',
      'diff_url',
      'verdict',
      'check_url',
      'summary',
      'results',
    ]
    expect(Object.keys(action.outputs)).toEqual(results)
  })

  it.each(['inputs', 'outputs'])('has each of its %s in docs/ci.md', (kind) => {
    const page = readFileSync('docs/ci.md', 'utf8')
    expect(Object.keys(action[kind]).filter((name) => !page.includes(`| \`${name}\``))).toEqual([])
  })
})
