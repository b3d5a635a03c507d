const chunkBytes = 64 * 1024
const head = Buffer.from('{"tool":"bench","title":"Load","data":{"v":')
const tail = Buffer.from('}}')

function* repeated(unit: string, bytes: number): Generator<Buffer> {
  const block = Buffer.from(unit.repeat(Math.floor(chunkBytes / unit.length)))
  let left = Math.floor(bytes / unit.length) * unit.length
  while (left > 0) {
    yield left >= block.length ? block : block.subarray(0, left)
    left -= Math.min(left, block.length)
  }
}

function* list(item: string, bytes: number): Generator<Buffer> {
  yield head
  yield Buffer.from('[')
  yield* repeated(`${item},`, bytes - 32 - item.length)
  yield Buffer.from(`${item}]`)
  yield tail
}

/** Request bodies whose `data` is just below `bytes`, by the weakness they target. */
export function uploadBodies(bytes: number): Readonly<Record<string, () => Generator<Buffer>>> {
  return {
    'one long string': function* () {
      yield head
      yield Buffer.from('"')
      yield* repeated('The quick brown fox jumps over the lazy dog. ', bytes - 32)
      yield Buffer.from('"')
      yield tail
    },
    'empty objects': () => list('{}', bytes),
    'empty arrays': () => list('[]', bytes),
    'ten million zeros': () => list('0', Math.min(bytes, 20_000_000)),
    'distinct keys': function* () {
      yield head
      yield Buffer.from('{')
      const keys = Math.floor((bytes - 64) / 14)
      for (let from = 0; from < keys; from += 4_096) {
        let text = ''
        for (let key = from; key < Math.min(keys, from + 4_096); key += 1)
          text += `"k${String(key).padStart(8, '0')}":1,`
        yield Buffer.from(text)
      }
      yield Buffer.from('"last":1}')
      yield tail
    },
    'a million levels': function* () {
      yield head
      yield* repeated('[', 1_000_000)
      yield* repeated(']', 1_000_000)
      yield tail
    },
  }
}
