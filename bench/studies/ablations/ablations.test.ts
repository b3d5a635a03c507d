import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const root = join(folder, '../../..')
const modulePaths: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(folder, 'module-paths.json'), 'utf8'),
)

function exportsOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
}

const namesOf = (file: string): readonly string[] => [
  ...exportsOf(file),
  ...[...readFileSync(file, 'utf8').matchAll(/^export const \{ (.+) \} = real$/gm)].flatMap(
    ([, names = '']) => names.split(', '),
  ),
]

test.each(Object.entries(modulePaths))('%s exports what the original module exports', (name, place) => {
  const source = exportsOf(join(root, place.replace(/\.js$/, '.ts')))
  expect(source.length).toBeGreaterThan(0)
  expect([...namesOf(join(folder, `${name}.mjs`))].sort()).toEqual([...source].sort())
})

test('every replacement is registered', () => {
  const mechanics = ['register-replacement', 'replace-modules']
  const files = readdirSync(folder).flatMap((file) => /^(.+)\.mjs$/.exec(file)?.[1] ?? [])
  expect(files.filter((name) => !mechanics.includes(name)).sort()).toEqual(Object.keys(modulePaths).sort())
})
