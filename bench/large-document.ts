/** A little below Pro's limit for `data`. */
export const largeBytes = 52_000_000

const head = Buffer.from('{"tool":"bench","title":"Large","data":')
const tail = Buffer.from('}')

/** Pseudo-random numbers, the same in every run. */
function randomNumbers(): (below: number) => number {
  let state = 0x2545f491
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const words = 'amber basalt cedar delta ember fjord grove harbor island juniper kelp lagoon meadow'.split(' ')

function pick(random: (below: number) => number): string {
  return words[random(words.length)] ?? ''
}

function rowOf(id: number, random: (below: number) => number): string {
  const name = `${pick(random)} ${pick(random)} ${random(10_000)}`
  return JSON.stringify({
    id,
    name,
    email: `${name.replaceAll(' ', '.')}@example.com`,
    amount: random(1_000_000) / 100,
    active: random(2) === 1,
    createdAt: new Date(1_700_000_000_000 + random(1_000_000_000)).toISOString(),
  })
}

/** A realistic document: a table of distinct rows. */
export function largeDocument(size: number = largeBytes): Buffer {
  const random = randomNumbers()
  const bytes = Buffer.alloc(size, ' ')
  let at = bytes.write('{"rows":[')
  let separator = ''
  for (let id = 1; at < size - 1_000; id += 1) {
    at += bytes.write(`${separator}${rowOf(id, random)}`, at)
    separator = ','
  }
  bytes.write(']', at)
  bytes.write('}', size - 1)
  return bytes
}

/** The body of the request that stores it. */
export function largeBody(document: Buffer): Buffer {
  return Buffer.concat([head, document, tail])
}
