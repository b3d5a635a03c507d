import { describe, expect, it } from 'vitest'
import { styleSheet, styleSheetPath } from './style-sheet.js'

type Colours = Readonly<Record<string, string>>

function coloursOf(rule: RegExp): Colours {
  const [, body = ''] = rule.exec(styleSheet) ?? []
  return Object.fromEntries(
    [...body.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
  )
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours as WCAG 2.2 defines it. */
function contrast(colours: Colours, one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((name) => luminance(colours[name] ?? ''))
    .toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each([
  ['light', coloursOf(/^:root\{([^}]*)\}/m)],
  ['dark', coloursOf(/prefers-color-scheme:dark\)\{:root\{([^}]*)\}/)],
])('in the %s', (_name, colours) => {
  it.each([
    ['ink', 'paper'],
    ['ink', 'panel'],
    ['quiet', 'paper'],
    ['quiet', 'panel'],
    ['accent', 'paper'],
    ['accent', 'panel'],
    ['on-accent', 'accent'],
  ])('%s on %s can be read (WCAG AA)', (text, ground) => {
    expect(contrast(colours, text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  it('the edge of a button can be seen', () => {
    expect(contrast(colours, 'edge', 'paper')).toBeGreaterThanOrEqual(3)
  })
})

it('the style loads nothing, and its address changes with it', () => {
  expect(styleSheet).not.toMatch(/url\(|@import/)
  expect(styleSheetPath).toMatch(/^\/assets\/[0-9a-f]{16}\.css$/)
})
