import { expect, it } from 'vitest'
import { copiedCode } from './copied-code.js'

it('of a session only the commands are copied, with the lines on which they go on', () => {
  const session =
    '$ curl -s URL \\\n    -d \'{"a":1}\'\n{"id":"x"}\n\n$ snipkeep get x   # all of it\nname,role\n'
  expect(copiedCode(session, true)).toBe('curl -s URL \\\n    -d \'{"a":1}\'\nsnipkeep get x   # all of it')
})

it('anything else is copied as it is', () => {
  expect(copiedCode('a:\n  - $ b\n', false)).toBe('a:\n  - $ b')
})
