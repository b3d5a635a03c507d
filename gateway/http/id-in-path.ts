import type { Exchange } from './exchange.js'
import { notFound } from './problem.js'

/**
 * The id that stands in the path.
 * @param what what is sought, for the sentence: `This snippet`.
 * @throws DomainError `not_found` when nothing can have this id.
 */
export function idInPath({ params: { id } }: Pick<Exchange, 'params'>, what: string): string {
  if (id === undefined || !/^[0-9A-Za-z]{22}$/.test(id)) throw notFound(what)
  return id
}
