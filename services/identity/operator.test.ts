import { expect, it } from 'vitest'
import { parseLedger } from './operator.js'

const line = (digit: string): string => `${digit.repeat(64)} 2026-11-25T12:00:00.000Z\n`

it('a ledger is read as it was printed, also one without accounts', () => {
  expect(parseLedger(`${line('a')}${line('b')}# 2 accounts\n`)).toEqual([
    { digest: 'a'.repeat(64), erasedAt: new Date('2026-11-25T12:00:00Z') },
    { digest: 'b'.repeat(64), erasedAt: new Date('2026-11-25T12:00:00Z') },
  ])
  expect(parseLedger('# 0 accounts\n')).toEqual([])
})

it('a ledger that was cut off anywhere is refused', () => {
  const whole = `${line('a')}${line('b')}# 12 accounts`
  const complete = `${line('a')}${line('b')}# 2 accounts`
  for (let length = 0; length < complete.length; length += 1)
    expect(() => parseLedger(complete.slice(0, length)), String(length)).toThrow('The ledger is incomplete: ')
  expect(() => parseLedger(whole)).toThrow('it has 2 accounts, and its last line says 12')
})

it('a ledger with a line of something else, or followed by another, is refused', () => {
  for (const other of ['nonsense\n', `${line('A')}`, '# 1 accounts\n', `${'a'.repeat(64)} yesterday\n`])
    expect(() => parseLedger(`${line('a')}${other}# 2 accounts`)).toThrow('Line 2 is not a digest and a time')
})
