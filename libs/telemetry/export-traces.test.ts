import { expect, test } from 'vitest'
import { formatTraceparent, parseTraceparent } from './export-traces.js'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test('a written traceparent can be parsed', () => {
  for (const traceFlags of [0, 1]) {
    const parent = { traceId, spanId, traceFlags }
    expect(parseTraceparent(formatTraceparent(parent))).toEqual(parent)
  }
})

test('a traceparent of a later version is parsed as far as known, and unknown flags are dropped', () => {
  expect(parseTraceparent(`01-${traceId}-${spanId}-ff-more`)).toEqual({ traceId, spanId, traceFlags: 1 })
})

test.each([
  undefined,
  '',
  'x',
  `00-${traceId}-${spanId}`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-${'x'.repeat(200)}`,
  `00-${traceId}-${spanId}-0g`,
])('%s is rejected', (text) => {
  expect(parseTraceparent(text)).toBeNull()
})
