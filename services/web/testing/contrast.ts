/** Colours by the names of their custom properties. */
export type Colours = Readonly<Record<string, string>>

/** The colours that a style sheet defines as custom properties. */
export function coloursOf(rules: string): Colours {
  return Object.fromEntries(
    [...rules.matchAll(/--([a-z-]+):\s?(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
  )
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two of the colours, as WCAG 2.2 defines it; `NaN` if one is missing. */
export function contrast(colours: Colours, one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((name) => luminance(colours[name] ?? ''))
    .toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The rules of a style sheet that apply in light and in dark mode. */
export function schemes(sheet: string): readonly [light: string, dark: string] {
  const [light, dark] = [1, 2].map((scheme) =>
    sheet.replace(/light-dark\((#[0-9a-f]{6}),\s?(#[0-9a-f]{6})\)/g, `$${scheme}`),
  )
  return [light ?? '', dark ?? '']
}
