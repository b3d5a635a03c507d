import { Agent, request } from 'node:http'
import type { RecordableHistogram } from 'node:perf_hooks'

/** A request that is sent again and again. */
export interface StatusRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** How many responses had which status; 0 stands for a connection that broke without one. */
export type Statuses = ReadonlyMap<number, number>

function sendOnce(agent: Agent, { method, url, headers, body }: StatusRequest): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(url, { method, headers, agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve(0))
    })
    outgoing.once('error', () => resolve(0))
    outgoing.end(body)
  })
}

/**
 * Sends these requests over this many connections until `stopped`, and counts all responses.
 * @param latencies gets how long each took, in nanoseconds.
 */
export async function countStatuses(
  requests: readonly StatusRequest[],
  connections: number,
  stopped: () => boolean,
  latencies?: RecordableHistogram,
): Promise<Statuses> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses = new Map<number, number>()
  let next = 0
  const connection = async (): Promise<void> => {
    while (!stopped()) {
      const one = requests[next++ % requests.length]
      if (one === undefined) throw new Error('there is nothing to send')
      const startedAt = process.hrtime.bigint()
      const status = await sendOnce(agent, one)
      latencies?.record(process.hrtime.bigint() - startedAt)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  agent.destroy()
  return statuses
}
