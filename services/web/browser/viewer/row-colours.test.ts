import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { styleSheet } from '../../style-sheet.js'
import { coloursOf, contrast, schemes } from '../../testing/contrast.js'

const css = ['tree-view.css', 'table-view.css'].map((name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8'),
)

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s', (_name, scheme) => {
  const base = coloursOf(schemes(styleSheet)[scheme])

  it.each(['string', 'number', 'boolean', 'quiet', 'ink'])(
    '%s in the tree can be read on every ground',
    (name) => {
      const colours = { ...base, ...coloursOf(schemes(css[0] ?? '')[scheme]) }
      for (const ground of ['paper', 'panel', 'mark'])
        expect(contrast(colours, name, ground), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(['quiet', 'ink'])('%s in the table can be read on every ground', (name) => {
    const colours = { ...base, ...coloursOf(schemes(css[1] ?? '')[scheme]) }
    for (const ground of ['paper', 'panel', 'mark'])
      expect(contrast(colours, name, ground), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
  })
})
