import { Metadata, status } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { fromServiceError } from './status.js'

it('a method that the other process does not know is unavailable, since it may be of the previous release', () => {
  const error = Object.assign(new Error('unknown'), {
    code: status.UNIMPLEMENTED,
    details: 'The server does not implement the method',
    metadata: new Metadata(),
  })
  expect(fromServiceError(error)).toMatchObject({ kind: 'unavailable', code: 'unavailable' })
  const internal = Object.assign(new Error('broken'), { ...error, code: status.INTERNAL })
  expect(fromServiceError(internal)).toBe(internal)
})
