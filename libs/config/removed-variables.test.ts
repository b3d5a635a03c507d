import { expect, it } from 'vitest'
import { removed, removedVariables } from './removed-variables.js'

it('a removed variable that is set is named with what to do, by the processes that read it', () => {
  const env = { DATABASE_STATEMENT_TIMEOUT_MS: '100', FAST_PATH: 'false', CONTENT_ORPHAN_GRACE_MS: '' }
  expect(removedVariables('gateway', env)).toEqual([{ name: 'FAST_PATH', remedy: removed.FAST_PATH?.remedy }])
  expect(removedVariables('content', env).map(({ name }) => name)).toEqual(['DATABASE_STATEMENT_TIMEOUT_MS'])
  expect(removedVariables('web', env)).toEqual([])
})
