import { describe, expect, it } from 'vitest'
import { styleSheet, styleSheetPath } from './style-sheet.js'
import { coloursOf, contrast, schemes } from './testing/contrast.js'

const [light, dark] = schemes(/^:root\{([^}]*)\}/m.exec(styleSheet)?.[1] ?? '')

describe.each([
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
])('in the %s', (_name, colours) => {
  it.each([
    ['ink', 'paper'],
    ['ink', 'panel'],
    ['quiet', 'paper'],
    ['quiet', 'panel'],
    ['accent', 'paper'],
    ['accent', 'panel'],
    ['on-accent', 'accent'],
    ['link', 'paper'],
    ['link', 'panel'],
    ['accent', 'tint'],
    ['ink', 'tint'],
    ['danger', 'paper'],
    ['danger', 'panel'],
    ['on-danger', 'danger'],
    ['warn', 'warn-paper'],
    ['ok', 'paper'],
    ['ok', 'panel'],
  ])('%s on %s can be read (WCAG AA)', (text, ground) => {
    expect(contrast(colours, text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  it('the edge of a button can be seen', () => {
    expect(contrast(colours, 'edge', 'paper')).toBeGreaterThanOrEqual(3)
  })
})

it('the style loads nothing, and its URL changes with it', () => {
  expect(styleSheet).not.toMatch(/url\(|@import/)
  expect(styleSheetPath).toMatch(/^\/assets\/[0-9a-f]{16}\.css$/)
})
