import { expect, it } from 'vitest'
import { fromDriverError, isTransient } from './errors.js'

function failure(code: string | undefined, message = 'it failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

it.each([
  ['a host that is away', failure('EHOSTUNREACH')],
  ['no route', failure('ENETUNREACH')],
  ['no descriptor left', failure('EMFILE')],
  ['a name that cannot be asked for', failure('EAI_FAIL')],
  ['a connection that broke', failure(undefined, 'Connection terminated unexpectedly')],
  [
    'a server that cannot even refuse',
    failure(undefined, 'There was an error establishing an SSL connection'),
  ],
  ['a server that shuts down', failure('57P01')],
  ['a disk that fails', failure('58030')],
  ['a transaction that was held up', failure('25P03')],
  ['a lock that no one gives up', failure('55P03')],
  ['a password that is wrong', failure('28P01')],
  ['a login that is not let in', failure('28000')],
  ['a database that is not there', failure('3D000')],
  ['a role that is not there', Object.assign(failure('22023'), { severity: 'FATAL' })],
  ['a role that may not be taken on', Object.assign(failure('42501'), { severity: 'FATAL' })],
  ['a deadlock', failure('40P01')],
  ['a conflict with recovery on a standby', failure('40001')],
])('%s is unavailability', (_what, error) => {
  expect(fromDriverError(error)).toMatchObject({ kind: 'unavailable', cause: error })
})

it.each([
  ['a statement that is wrong', failure('42601')],
  ['a row that is there already', failure('23505')],
  ['a table that may not be read', Object.assign(failure('42501'), { severity: 'ERROR' })],
  ['an argument that is wrong', failure('ERR_INVALID_ARG_TYPE')],
  ['a mistake', new TypeError('x is not a function')],
])('%s stays what it is', (_what, error) => {
  expect(fromDriverError(error)).toBe(error)
  expect(isTransient(error)).toBe(false)
})
