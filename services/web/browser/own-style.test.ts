import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The folders whose style sheets take every colour, radius and shadow from the tokens of `style-sheet.ts`. */
const folders = ['compare', 'guide', 'keys', 'landing', 'tool-list', 'tools'] as const

/** What no token is for, by the beginning of its line: the grounds of changed lines, and what lies behind a dialog. */
const exceptions: readonly string[] = ['--removed:', '--added:', 'background: rgb(0 0 0 / 45%)']

const sheets = folders.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.css'))
    .map((name) => [`${folder}/${name}`] as const),
)

/** Whether a declaration has a colour, a radius or a shadow of its own. */
function isOwn(line: string): boolean {
  if (exceptions.some((exception) => line.startsWith(exception))) return false
  const [, radius] = /border(?:-[a-z-]+)?-radius: (.*);$/.exec(line) ?? []
  if (radius !== undefined)
    return radius.split(' ').some((one) => !/^(?:0|50%|var\(--radius[a-z-]*\))$/.test(one))
  const [, shadow] = /box-shadow: (.*);$/.exec(line) ?? []
  if (shadow !== undefined)
    return !/^(?:none|var\(--[a-z]+-shadow\)|0 0 0 \dpx var\(--accent\))$/.test(shadow)
  return /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)a?\(/i.test(line)
}

describe.each(sheets)('%s', (path) => {
  it('takes its colours, radii and shadows from the tokens', () => {
    const lines = readFileSync(join(import.meta.dirname, path), 'utf8').split('\n')
    expect(lines.map((line) => line.trim()).filter(isOwn)).toEqual([])
  })
})

it('what is a value of its own is found', () => {
  const own = [
    'border-radius: 0.4rem;',
    'color: #123456;',
    'box-shadow: 0 1px 2px black;',
    'color: rgb(1 2 3);',
  ]
  expect(own.filter(isOwn)).toEqual(own)
  expect(
    ['border-radius: var(--radius);', 'border-radius: 50%;', 'color: var(--ink);'].filter(isOwn),
  ).toEqual([])
})
