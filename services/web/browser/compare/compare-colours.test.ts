import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { styleSheet } from '../../style-sheet.js'
import { coloursOf, contrast, schemes } from '../../testing/contrast.js'

const css = readFileSync(new URL('./compare.css', import.meta.url), 'utf8')

it.each([
  ['light', 0],
  ['dark', 1],
] as const)('what was and what is can be read in the %s (WCAG AA)', (_name, scheme) => {
  const colours = { ...coloursOf(schemes(styleSheet)[scheme]), ...coloursOf(schemes(css)[scheme]) }
  for (const ground of ['removed', 'added'])
    expect(contrast(colours, 'ink', ground), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
})
