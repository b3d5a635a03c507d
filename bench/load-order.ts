/** One of the requests that a load consists of. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** `{fresh}` in a value stands for a text that no other request has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What every response has to be; which snippet it is, checked requests beside the load look at. */
export interface Expected {
  readonly status: number
  /** Bytes of the body; `null` where they differ from time to time. */
  readonly bytes: number | null
  /** What the body must hold. */
  readonly holds: string
}

/** So many connections, each sending the next of the requests as soon as its last one has been served. */
export interface LoadOrder {
  readonly baseUrl: string
  readonly connections: number
  /** Whole seconds. */
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
  readonly expected: Expected
}

/** How a load went. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** What the program that made a load tells, with the responses that were not as expected. */
export interface LoadReport extends LoadResult {
  readonly wrong: number
  /** The first of the wrong ones, for a person. */
  readonly firstWrong: string
}

/** A program that makes loads in a process of its own, at a lower priority than what it measures. */
export interface LoadTool {
  readonly name: 'wrk' | 'autocannon'
  run(order: LoadOrder): Promise<LoadReport>
}
