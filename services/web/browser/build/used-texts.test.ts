import { expect, it } from 'vitest'
import { namedIn, withoutUnused } from './used-texts.js'

const code = `import { x } from './x.js'
const en = {
  'share.copy': 'Copy',
  'share.gone': 'Gone',
  'time.days': { one: '{count} day', other: '{count} days' },
  'compare.as-csv': 'As CSV',
  'compare.as-text': 'As text',
}
const plain = { share: 1, 'two words': 2 }
`

it('a script keeps the texts that it names, also those it names by a beginning, and everything else', () => {
  const isNamed = namedIn(
    'text(\'share.copy\'); text(`compare.as-\u0024{as}`); const units = [[1, "time.days"]]',
  )
  const kept = withoutUnused(code, isNamed)
  expect(kept).toContain("'share.copy': 'Copy'")
  expect(kept).toContain("'time.days': { one: '{count} day', other: '{count} days' }")
  expect(kept).toContain("'compare.as-csv': 'As CSV'")
  expect(kept).not.toContain('share.gone')
  expect(kept).toContain("const plain = { share: 1, 'two words': 2 }")
  expect(kept).toContain("import { x } from './x.js'")
})

it('a script that names nothing keeps no text, and stays a script', () => {
  const kept = withoutUnused(code, namedIn('run()')).replace(/^import .*\n/, '')
  expect(new Function(`${kept}; return [en, plain]`)()).toEqual([{}, { share: 1, 'two words': 2 }])
})
