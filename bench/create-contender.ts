import type { Contender } from './contender.js'
import type { LoadRequest } from './load-order.js'
import { expectStatus, type SmallUser, sample, sendOne, smallBody } from './small-requests.js'

const checkedCount = 10

interface Maker extends Pick<Contender, 'name' | 'baseUrl' | 'pids'> {
  readonly requests: readonly LoadRequest[]
  /** Reads by its id what a request has created. */
  find(index: number, id: string): Promise<string>
}

/** A server of requests that create snippets. Some are sent by themselves, and read again. */
export async function createContender({ find, ...maker }: Maker): Promise<Contender> {
  const { name, baseUrl, requests } = maker
  const create = async (request: LoadRequest): Promise<string> => {
    const headers = { ...request.headers, 'Idempotency-Key': crypto.randomUUID() }
    const { text } = expectStatus(await sendOne(baseUrl, { ...request, headers }), 201)
    const { id } = JSON.parse(text) as { id: string }
    const { data } = JSON.parse(request.body ?? '') as { data: unknown }
    const found = JSON.parse(await find(requests.indexOf(request), id)) as { id: string; data: unknown }
    if (found.id !== id || JSON.stringify(found.data) !== JSON.stringify(data))
      throw new Error(`${name} created ${JSON.stringify(found)}`)
    return text
  }
  const [first] = requests
  if (first === undefined) throw new Error('there is nothing to create')
  return {
    ...maker,
    expected: { status: 201, bytes: Buffer.byteLength(await create(first)), holds: smallBody(0).title },
    async check() {
      for (const request of sample(requests, checkedCount)) await create(request)
    },
  }
}

/** A creating request of each of these users, with a key of its own every time. */
export function createRequests(
  users: readonly SmallUser[],
  pathOf: (user: SmallUser) => string,
): readonly LoadRequest[] {
  return users.map((user, index) => ({
    method: 'POST',
    path: pathOf(user),
    headers: { ...user.headers, 'Content-Type': 'application/json', 'Idempotency-Key': '{fresh}' },
    body: JSON.stringify(smallBody(index)),
  }))
}
