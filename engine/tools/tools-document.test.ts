import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tools } from './registry.js'
import { comparisonTable, subjects } from './testing/contenders.js'
import { encodingOption } from './tool.js'

const document = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8')

describe('docs/tools.md', () => {
  it('names every tool and its options', () => {
    for (const { name, options } of tools) {
      const row = document.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
      expect(row, name).not.toBe('')
      const own = Object.entries(options.shape).filter(([, schema]) => schema !== encodingOption)
      for (const [option] of own) expect(row, name).toContain(`\`${option}\``)
    }
  })

  it('says what ours and others keep of sixty documents, as this run finds it', async () => {
    expect(subjects.reduce((sum, { documents }) => sum + documents.length, 0)).toBe(60)
    expect(document).toContain(await comparisonTable())
  })
})
