/** Bytes that are not UTF-8, and what is wrong with them. */
export interface InvalidSequence {
  readonly what: string
  readonly bytes: Buffer
}

function sequence(what: string, ...bytes: number[]): InvalidSequence {
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  return { what: `${what}: ${hex}`, bytes: Buffer.from(bytes) }
}

function range(first: number, last: number, step = 1): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
}

/** Encodes any code point, even a surrogate or one beyond Unicode, in `length` bytes. */
function encode(codePoint: number, length: 2 | 3 | 4 | 5 | 6): number[] {
  const tail = range(0, length - 2).map((index) => 0x80 | (Math.floor(codePoint / 64 ** index) & 0x3f))
  const mark = (0xff00 >> length) & 0xff
  return [mark | Math.floor(codePoint / 64 ** (length - 1)), ...tail.reverse()]
}

const overlong = [
  ...range(0x00, 0x7f, 8).map((point) => sequence('two bytes for one', ...encode(point, 2))),
  ...[0x00, 0x22, 0x2f, 0x5c, 0x7f, 0x80, 0xff, 0x7ff].map((point) =>
    sequence('three bytes for fewer', ...encode(point, 3)),
  ),
  ...[0x00, 0x22, 0x2f, 0x5c, 0x7f, 0x7ff, 0x800, 0xfffd, 0xffff].map((point) =>
    sequence('four bytes for fewer', ...encode(point, 4)),
  ),
  ...[0x00, 0x2f, 0xffff, 0x10ffff, 0x200000].map((point) => sequence('five bytes', ...encode(point, 5))),
  ...[0x00, 0x2f, 0xffff, 0x10ffff, 0x4000000].map((point) => sequence('six bytes', ...encode(point, 6))),
]

const surrogates = [
  ...range(0xd800, 0xdfff, 0x55).map((point) => sequence('a surrogate', ...encode(point, 3))),
  sequence('the last high surrogate', ...encode(0xdbff, 3)),
  sequence('the first low surrogate', ...encode(0xdc00, 3)),
  sequence('the last surrogate', ...encode(0xdfff, 3)),
  ...[0x10000, 0x1d11e, 0x1f600, 0x10ffff].map((point) => {
    const [high, low] = [0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff)]
    return sequence('a pair in CESU-8', ...encode(high, 3), ...encode(low, 3))
  }),
]

const beyondUnicode = [0x110000, 0x110fff, 0x120000, 0x13ffff, 0x140000, 0x1fffff].map((point) =>
  sequence('beyond U+10FFFF', ...encode(point, 4)),
)

const strayBytes = [
  ...range(0x80, 0xbf, 4).map((byte) => sequence('a continuation alone', byte)),
  ...[0xc0, 0xc1, ...range(0xf5, 0xff)].map((byte) =>
    sequence('a byte that never occurs', byte, 0x80, 0x80, 0x80),
  ),
  sequence('Latin-1', 0xe9),
  sequence('a mark of UTF-16', 0xff, 0xfe),
  sequence('a mark of UTF-16', 0xfe, 0xff),
]

const cutShort = [
  ...range(0xc2, 0xdf, 5).map((byte) => sequence('one of two bytes', byte)),
  ...range(0xe0, 0xef).map((byte) => sequence('one of three bytes', byte)),
  ...range(0xe0, 0xef, 3).map((byte) => sequence('two of three bytes', byte, byte === 0xe0 ? 0xa0 : 0x80)),
  ...range(0xf0, 0xf4).map((byte) => sequence('one of four bytes', byte)),
  ...range(0xf0, 0xf4).map((byte) => sequence('two of four bytes', byte, byte === 0xf0 ? 0x90 : 0x80)),
  ...range(0xf0, 0xf4).map((byte) =>
    sequence('three of four bytes', byte, byte === 0xf0 ? 0x90 : 0x80, 0x80),
  ),
  sequence('a lead in place of a continuation', 0xe2, 0xe2, 0x82, 0xac),
  sequence('one continuation too many', 0xc3, 0xa9, 0xa9),
  sequence('a letter within a character', 0xe2, 0x41, 0xac),
  sequence('a letter within a character', 0xf0, 0x9f, 0x41, 0x80),
]

/** Overlong forms, surrogates, code points beyond Unicode, stray and missing bytes. */
export const invalidSequences: readonly InvalidSequence[] = [
  ...overlong,
  ...surrogates,
  ...beyondUnicode,
  ...strayBytes,
  ...cutShort,
]
