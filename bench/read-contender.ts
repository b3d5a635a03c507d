import type { Contender } from './contender.js'
import type { LoadRequest } from './load-order.js'
import { expectStatus, sample, sendOne } from './small-requests.js'

/** A read, and its exact response. */
export interface Read {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly response: string
}

const checkedCount = 25

/** A contender that serves these reads; all responses have one size and contain the same text. */
export function readContender(
  { name, baseUrl, pids }: Pick<Contender, 'name' | 'baseUrl' | 'pids'>,
  reads: readonly Read[],
  holds: string,
): Contender {
  const sizes = new Set(reads.map(({ response }) => Buffer.byteLength(response)))
  if (sizes.size !== 1) throw new Error(`the responses of ${name} have ${[...sizes].join(', ')} bytes`)
  const requests = reads.map(({ path, headers }): LoadRequest => ({ method: 'GET', path, headers }))
  return {
    name,
    baseUrl,
    pids,
    requests,
    expected: { status: 200, bytes: [...sizes][0] ?? 0, holds },
    async check() {
      for (const { path, headers, response } of sample(reads, checkedCount)) {
        const { text } = expectStatus(await sendOne(baseUrl, { method: 'GET', path, headers }), 200)
        if (text !== response) throw new Error(`${name} returned ${text} instead of ${response} for ${path}`)
      }
    },
  }
}
