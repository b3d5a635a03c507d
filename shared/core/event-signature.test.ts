import { describe, expect, it } from 'vitest'
import { readEventSignature } from './event-signature.js'

const now = new Date(Date.UTC(2030, 0, 1))
const seconds = now.getTime() / 1000
const v1 = 'a'.repeat(64)

describe('the header of a signed event', () => {
  it('has its time and its signatures', () => {
    const other = 'b'.repeat(64)
    expect(readEventSignature(`t=${seconds},v1=${v1},v0=x,v1=${other}`, now)).toEqual({
      time: String(seconds),
      signatures: [v1, other],
    })
  })

  it.each([-300, 300])('may be %i s away from now', (offset) => {
    expect(readEventSignature(`t=${seconds + offset},v1=${v1}`, now)).not.toBeNull()
  })

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['no time', `v1=${v1}`],
    ['two times', `t=${seconds},t=${seconds},v1=${v1}`],
    ['a time of 301 s ago', `t=${seconds - 301},v1=${v1}`],
    ['a time in 301 s', `t=${seconds + 301},v1=${v1}`],
    ['a time in milliseconds', `t=${seconds}000,v1=${v1}`],
    ['a time that is no number', `t=now,v1=${v1}`],
    ['no signature', `t=${seconds}`],
    ['a signature of another scheme alone', `t=${seconds},v0=${v1}`],
    ['a signature that is too short', `t=${seconds},v1=00`],
    ['more than 4 KiB', `t=${seconds},v1=${v1}${',v0=0'.repeat(1_000)}`],
  ])('signs nothing with %s', (_name, header) => {
    expect(readEventSignature(header, now)).toBeNull()
  })
})
