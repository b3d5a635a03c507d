import { expect, test } from 'vitest'
import { whyInitdbFailed } from './cluster.js'

test('a user without an entry in /etc/passwd is named as the reason, not a full disk', () => {
  const said = `The files belonging to this database system will be owned by user "x".
initdb: could not look up effective user ID 4711: user does not exist
`
  expect(whyInitdbFailed(said, '/data')).toMatch(/uid 4711 has no entry in \/etc\/passwd; add one, start as/)
  expect(whyInitdbFailed(said, '/data')).not.toContain('space')
})

test('any other failure is reported by its first line, with the folder', () => {
  const said =
    'creating subdirectories ... \ninitdb: error: could not create directory "x": No space left\nmore\n'
  expect(whyInitdbFailed(said, '/data')).toMatch(
    /could not be made \(initdb: error: could not create .*left\); check the free space and the rights of \/data/,
  )
  expect(whyInitdbFailed('', '/data')).toMatch(/could not be made; check/)
})
