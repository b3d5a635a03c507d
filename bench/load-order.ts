/** One request of a load. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** `{fresh}` is replaced with a text unique to the request. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What every response must be; checks beside the load also compare which snippet it is. */
export interface Expected {
  readonly status: number
  /** Bytes of the body; `null` if it varies. */
  readonly bytes: number | null
  /** A substring of the body. */
  readonly holds: string
}

/** A number of connections, each sending the next request as soon as the response to the last one has arrived. */
export interface LoadOrder {
  readonly baseUrl: string
  readonly connections: number
  /** Whole seconds. */
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
  readonly expected: Expected
}

/** The result of a load. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** The output of a load generator, including unexpected responses. */
export interface LoadReport extends LoadResult {
  readonly wrong: number
  /** A description of the first wrong response. */
  readonly firstWrong: string
}

/** A load generator in its own process, at a lower priority than what it measures. */
export interface LoadTool {
  readonly name: 'wrk' | 'autocannon'
  run(order: LoadOrder): Promise<LoadReport>
}
