import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { iterations } from './harness/iterations.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

interface Owner {
  readonly client: ApiClient
  readonly name: string
  readonly snippet: string
  readonly share: string
}

const users = 50

async function open(index: number): Promise<Owner> {
  const name = `owner-${index}`
  const client = await system.user(name, 'pro')
  const body = { tool: 'own', title: name, data: { owner: name, pad: 'x'.repeat(index * 20) } }
  const [snippet, share] = await Promise.all([
    client.post('/api/snippets', body),
    client.post('/api/shares', body),
  ])
  return { client, name, snippet: snippet.json<{ id: string }>().id, share: share.json<{ id: string }>().id }
}

const anyOf = <T>(items: readonly T[]): T => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

/** Who a response is for, according to its headers; error responses don't say. */
interface Said {
  readonly title?: string
  readonly data?: { readonly owner: string; readonly pad: string }
}

it('no one ever gets another caller’s response, though reads are batched', async () => {
  const owners = await Promise.all(Array.from({ length: users }, (_, index) => open(index)))
  const wrong: string[] = []
  const read = async (): Promise<void> => {
    const [owner, other] = [anyOf(owners), anyOf(owners)]
    const kind = anyOf(['own', 'own', 'own', 'share', 'foreign', 'unknown'] as const)
    const path = {
      own: `/api/snippets/${owner.snippet}`,
      share: `/api/shares/${other.share}`,
      foreign: `/api/snippets/${other.snippet}`,
      unknown: `/api/snippets/${'0'.repeat(22)}`,
    }[kind]
    const whose = kind === 'own' ? owner : other
    const status = kind === 'unknown' ? 404 : kind === 'foreign' && other !== owner ? 403 : 200
    const response = await owner.client.get(path)
    const { title, data } = response.json<Said>()
    const right =
      response.status === status &&
      (status === 200 ? title === whose.name && data?.owner === whose.name : data === undefined)
    if (!right)
      wrong.push(`${owner.name} asked for ${path} and got ${response.status} ${response.text.slice(0, 200)}`)
  }
  const reads = iterations(10_000, 100_000)
  const reader = async (): Promise<void> => {
    for (let done = 0; done < reads / users; done += 1) await read()
  }
  await Promise.all(Array.from({ length: users }, reader))
  expect(wrong).toEqual([])
})
