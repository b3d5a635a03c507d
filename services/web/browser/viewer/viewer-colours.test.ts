import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { styleSheet } from '../../style-sheet.js'
import { type Colours, coloursOf, contrast, schemes } from '../../testing/contrast.js'

const [lightPage, darkPage] = schemes(styleSheet)
const [light, dark] = schemes(readFileSync(new URL('./viewer.css', import.meta.url), 'utf8'))

describe.each([
  ['light', { ...coloursOf(lightPage), ...coloursOf(light) }],
  ['dark', { ...coloursOf(lightPage), ...coloursOf(light), ...coloursOf(darkPage), ...coloursOf(dark) }],
] satisfies readonly (readonly [string, Colours])[])('in the %s', (_name, colours) => {
  it.each(['token-key', 'token-string', 'token-number', 'token-keyword', 'token-comment', 'quiet', 'ink'])(
    '%s can be read on every ground of the editor (WCAG AA)',
    (name) => {
      for (const ground of ['paper', 'panel', 'tint', 'found', 'chosen'])
        expect(contrast(colours, name, ground), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('the current match is readable', () => {
    expect(contrast(colours, 'on-match', 'match')).toBeGreaterThanOrEqual(4.5)
  })
})
