import { expect, it } from 'vitest'
import { optionFields } from './option-fields.js'
import { findTool, tools } from './registry.js'
import { readOptions } from './tool.js'

it('every option of every tool has a field, whose fallback means the default', () => {
  for (const tool of tools) {
    const fields = optionFields(tool)
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(tool.options.shape))
    const texts = fields.map(({ name, fallback }) => [name, fallback] as const)
    expect(tool.options.parse(readOptions(tool, texts)), tool.name).toEqual(tool.options.parse({}))
    for (const { name, description } of fields) expect(description, `${tool.name} ${name}`).not.toBe('')
  }
})

it('choices, switches, numbers and texts are told apart', () => {
  const controls = ['json-format', 'json-validate', 'json-query', 'csv-format'].flatMap((name) => {
    const tool = findTool(name)
    if (tool === null) throw new Error(`there is no ${name}`)
    return optionFields(tool).map((field) => [`${name} ${field.name}`, field.control] as const)
  })
  expect(Object.fromEntries(controls)).toMatchObject({
    'json-format final_newline': { kind: 'switch' },
    'json-validate errors_max': { kind: 'number', min: 1, max: 1_000 },
    'json-query path': { kind: 'text', lengthMax: 4_096 },
    'json-query result': { kind: 'choice', choices: ['values', 'paths'] },
    'csv-format columns': { kind: 'text' },
  })
})
