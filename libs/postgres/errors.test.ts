import { expect, it } from 'vitest'
import { fromDriverError, isTransient } from './errors.js'

function failure(code: string | undefined, message = 'it failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

it.each([
  ['an unreachable host', failure('EHOSTUNREACH')],
  ['no route', failure('ENETUNREACH')],
  ['no file descriptor', failure('EMFILE')],
  ['a failed name lookup', failure('EAI_FAIL')],
  ['a broken connection', failure(undefined, 'Connection terminated unexpectedly')],
  [
    'a server that breaks off the TLS handshake',
    failure(undefined, 'There was an error establishing an SSL connection'),
  ],
  ['a server that shuts down', failure('57P01')],
  ['an I/O error', failure('58030')],
  ['an idle transaction that timed out', failure('25P03')],
  ['a lock that is not available', failure('55P03')],
  ['a wrong password', failure('28P01')],
  ['a rejected login', failure('28000')],
  ['a missing database', failure('3D000')],
  ['a missing role', Object.assign(failure('22023'), { severity: 'FATAL' })],
  ['a role that may not be used', Object.assign(failure('42501'), { severity: 'FATAL' })],
  ['a deadlock', failure('40P01')],
  ['a conflict with recovery on a standby', failure('40001')],
])('%s is reported as unavailable', (_what, error) => {
  expect(fromDriverError(error)).toMatchObject({ kind: 'unavailable', cause: error })
})

it.each([
  ['a wrong statement', failure('42601')],
  ['a duplicate row', failure('23505')],
  ['a forbidden table', Object.assign(failure('42501'), { severity: 'ERROR' })],
  ['a wrong argument', failure('ERR_INVALID_ARG_TYPE')],
  ['a mistake', new TypeError('x is not a function')],
])('%s is passed on unchanged', (_what, error) => {
  expect(fromDriverError(error)).toBe(error)
  expect(isTransient(error)).toBe(false)
})
