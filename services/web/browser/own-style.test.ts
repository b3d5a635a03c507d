import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { html } from '#libs/html/html.js'
import { styleTokens } from '#shared/core/style-tokens.js'
import { plainPage } from '#shared/plain-page.js'
import { styleSheet } from '../style-sheet.js'

/**
 * What no token is for, by the beginning of its declaration: the grounds of lines that were changed, found or chosen,
 * and the colours of code.
 */
const exceptions = ['--removed', '--added', '--found:', '--chosen:', '--match:', '--on-match:', '--token-']

const sheets = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const)
/** The styles of pages that load none of these, without the tokens themselves. */
const others = [
  ['style-sheet.ts', styleSheet],
  ['plain-page.ts', plainPage('', '', html``).split(/<\/?style>/)[1] ?? ''],
].map(([name = '', css = '']) => [name, css.replace(styleTokens, '')] as const)

/** Whether a declaration has a colour, a radius or a shadow of its own. */
function isOwn(declaration: string): boolean {
  if (exceptions.some((exception) => declaration.startsWith(exception))) return false
  const [, radius] = /border(?:-[a-z-]+)?-radius: ?(.*)$/.exec(declaration) ?? []
  const inside = /calc\((var\(--radius\)) - \dpx\)/
  if (radius !== undefined)
    return radius
      .replace(inside, '$1')
      .split(' ')
      .some((one) => !/^(?:0|50%|inherit|var\(--radius[a-z-]*\))$/.test(one))
  const [, shadow] = /box-shadow: ?(.*)$/.exec(declaration) ?? []
  if (shadow !== undefined)
    return !/^(?:none|var\(--[a-z]+-shadow\)|0 (?:0|1px) 0 (?:\dpx )?var\(--[a-z]+\))$/.test(shadow)
  return /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)a?\(/i.test(declaration)
}

it.each([...sheets, ...others])('%s takes its colours, radii and shadows from the tokens', (_name, css) => {
  const declarations = css.split(/[{};]/).map((declaration) => declaration.replaceAll(/\s+/g, ' ').trim())
  expect(declarations.filter(isOwn)).toEqual([])
})

it('what is a value of its own is found', () => {
  const own = ['border-radius: 0.4rem', 'color: #123456', 'box-shadow: 0 1px 2px black', 'color: rgb(1 2 3)']
  expect(own.filter(isOwn)).toEqual(own)
  expect(['border-radius: var(--radius)', 'border-radius: 50%', 'color: var(--ink)'].filter(isOwn)).toEqual(
    [],
  )
})
