import { expect, it } from 'vitest'
import { parseContract } from '#engine/contract/parse-rules.js'
import { ProblemError } from '#sdk/exports.js'
import { exampleRules, firstRules, keyOf, rulesIn, rulesProblem } from './contract-rules.js'

const utf8 = new TextEncoder()

it('rules are shown over several lines, as they were spelled', () => {
  const rules = '{"schema":{"multipleOf":1.10,"maximum":12345678901234567890},"ignore":[]}'
  const shown = rulesIn(`{"snippet_id":"x","rules":${rules},"version":1}`)
  expect(shown.split('\n').length).toBeGreaterThan(4)
  expect(shown.replaceAll(/\s/g, '')).toBe(rules)
})

it('what a new contract begins with, and the examples, are contracts', () => {
  expect(parseContract(utf8.encode(firstRules)).compare).toBe('values')
  const examples = `{${exampleRules.split('\n').join(',')}}`
  expect(parseContract(utf8.encode(examples)).ignore).toEqual(['/generated_at'])
})

it('a mistake is named with its place, and other errors are none', () => {
  const problem = (status: number, errors: readonly object[]): ProblemError =>
    new ProblemError(new Response(null, { status }), {
      ...{ type: 'about:blank', title: '', status, code: 'validation_failed', detail: 'All of it.' },
      ...{ request_id: 'r', errors },
    } as never)
  const mistake = {
    pointer: '/tolerance/0/absolute',
    code: 'invalid',
    detail: 'must be a number in a string',
  }
  expect(rulesProblem(problem(400, [mistake]))).toBe('At /tolerance/0/absolute: must be a number in a string')
  expect(rulesProblem(problem(400, []))).toBe('All of it.')
  expect(rulesProblem(problem(403, [mistake]))).toBeNull()
  expect(rulesProblem(new Error('x'))).toBeNull()
  expect(rulesProblem(null)).toBeNull()
})

it('a comparison finds items by the key of the contract, where there is one and items have it', () => {
  const broken = (rule: string) => [{ pointer: '/0', rule, baseline: null, candidate: null }]
  expect(keyOf({ keys: { '': ['sku'] } }, [])).toBe('sku')
  expect(keyOf({ keys: { '/a': ['day', 'region'], '/b': ['day', 'region'] } }, broken('value'))).toBe(
    'day,region',
  )
  expect(keyOf({ keys: { '/a': ['id'], '/b': ['name'] } }, [])).toBe('')
  expect(keyOf({ keys: { '': ['sku'] } }, broken('keys'))).toBe('')
  expect([keyOf({}, []), keyOf(undefined, [])]).toEqual(['', ''])
})
