import { type Finding, ok, problem } from './finding.js'

/** A process with an HTTP address, and the variable that names it. */
export interface HttpPart {
  readonly check: string
  readonly variable: string
  readonly url: string
}

/** Whether anything responds over HTTP at an address, with any status. */
export async function checkHttp({ check, variable, url }: HttpPart): Promise<Finding> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000), redirect: 'manual' })
    await response.body?.cancel()
    return ok(check, `${new URL(url).origin} responds`)
  } catch {
    return problem(check, `nothing responds at ${url}`, `start that process, or fix ${variable}`)
  }
}
