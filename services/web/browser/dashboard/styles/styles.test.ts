import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const sheets = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.css'))
  .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const)

/** Each declaration of a sheet whose property has one of these endings. */
function declared(css: string, property: RegExp): readonly string[] {
  return [...css.matchAll(/([\w-]+):\s*([^;{}]+);/g)].flatMap(([, name = '', value = '']) =>
    property.test(name) ? [`${name}: ${value.trim()}`] : [],
  )
}

it.each(sheets)('%s has no colour of its own', (_name, css) => {
  expect(css.match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(/gi)).toBeNull()
})

it.each(sheets)('%s has no radius and no shadow of its own', (_name, css) => {
  const own = declared(css, /-radius$|^box-shadow$/).filter(
    (one) => !/: (?:0|inherit|none|var\(--(?:radius(?:-\w+)?|\w+-shadow)\))$/.test(one),
  )
  expect(own).toEqual([])
})

it.each(sheets)('%s has spaces of the one scale', (_name, css) => {
  const own = declared(css, /^(?:gap|(?:row|column)-gap)$/).filter((one) => /\d(?:rem|em)\b/.test(one))
  expect(own).toEqual([])
})
