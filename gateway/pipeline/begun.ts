import type { ServerResponse } from 'node:http'
import type { Caller } from '../http/exchange.js'
import type { Admission } from '../rate-limits/sliding-window.js'
import type { Limit } from './rate-limit.js'

/** What has been found out about a request before the app was given it; the app asks for none of it again. */
export interface Begun {
  /** As `performance.now`. */
  readonly startedAt: number
  /** Who sent it, or why nobody can tell. */
  readonly identified?: Promise<Caller>
  /** The place that the limit was asked for. */
  readonly place?: { readonly limit: Limit; readonly admission: Admission | null }
  /** Why there is no answer. */
  readonly failure?: unknown
}

type Locals = { begun?: Begun }

/** Leaves what was found out to the app. Express keeps `locals` that it finds. */
export function leaveBegun(response: ServerResponse & { locals?: Locals }, begun: Begun): void {
  response.locals = { begun }
}

/** What was found out about the request of this answer. */
export function begunOf({ locals }: { readonly locals: Locals }): Begun | undefined {
  return locals.begun
}
