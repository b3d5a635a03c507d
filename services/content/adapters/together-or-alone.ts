import { isUnavailability } from '#libs/core/domain-error.js'
import { coalesce } from '#libs/runtime/coalesce.js'

/** One transaction at a time, so that two of this process never want the same rows; a slow one holds nobody up for long. */
const gathering = { most: 32, underWayMax: 1, patienceMs: 25 }

/**
 * A function of one request that has those of the same moment done together, and alone what `together` left `undefined`
 * or could not do: nobody fails for another's sake. Only where the database cannot be reached do all fail with it, since
 * nobody knows then what it has done.
 */
export function togetherOrAlone<Request, Response>(
  together: (requests: readonly Request[]) => Promise<readonly (Response | undefined)[]>,
  alone: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const gathered = coalesce<Request, Response | undefined>(gathering, async ([first, ...rest]) => {
    if (rest.length === 0) return [{ status: 'fulfilled', value: await alone(first) }]
    const requests = [first, ...rest]
    try {
      return (await together(requests)).map((value) => ({ status: 'fulfilled', value }))
    } catch (error) {
      if (isUnavailability(error)) throw error
      return requests.map(() => ({ status: 'fulfilled', value: undefined }))
    }
  })
  return async (request) => {
    const done = await gathered(request)
    return done === undefined ? alone(request) : done
  }
}
