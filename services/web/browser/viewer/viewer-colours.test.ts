import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Colours = Readonly<Record<string, string>>

const css = readFileSync(new URL('./viewer.css', import.meta.url), 'utf8')

/** The grounds of the pages, light and dark, as `style-sheet.ts` has them. */
const grounds = {
  light: { paper: '#ffffff', panel: '#f6f7f9', ink: '#16181d', quiet: '#565d6b' },
  dark: { paper: '#15171c', panel: '#1d2027', ink: '#e9eaee', quiet: '#a2a9b8' },
}

function coloursOf(rules: string): Colours {
  return Object.fromEntries(
    [...rules.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
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
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map(luminance).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
const tokens = ['token-key', 'token-string', 'token-number', 'token-keyword', 'token-comment', 'quiet']

describe.each([
  ['light', { ...grounds.light, ...coloursOf(light.slice(0, light.indexOf('}'))) }],
  [
    'dark',
    {
      ...grounds.dark,
      ...coloursOf(light.slice(0, light.indexOf('}'))),
      ...coloursOf(dark.split('}')[0] ?? ''),
    },
  ],
] satisfies readonly (readonly [string, Colours])[])('in the %s', (_name, colours: Colours) => {
  const of = (name: string): string => colours[name] ?? expect.fail(`There is no --${name}`)

  it.each(
    tokens.flatMap((token) =>
      ['paper', 'panel', 'found', 'chosen'].map((ground) => [token, ground] as const),
    ),
  )('%s on %s can be read (WCAG AA)', (token, ground) => {
    expect(contrast(of(token), of(ground))).toBeGreaterThanOrEqual(4.5)
  })

  it('text that was found can be read', () => {
    expect(contrast(of('ink'), of('found'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(of('on-match'), of('match'))).toBeGreaterThanOrEqual(4.5)
  })
})
