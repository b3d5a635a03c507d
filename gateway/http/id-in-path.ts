import { notFound } from './problem.js'
import type { RequestContext } from './request-context.js'

export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9A-Za-z]{22}$/.test(text)
}

/**
 * The id that stands in the path.
 * @param what what is sought, for the sentence: `This snippet`.
 * @throws DomainError `not_found` when nothing can have this id.
 */
export function idInPath({ params: { id } }: Pick<RequestContext, 'params'>, what: string): string {
  if (!isId(id)) throw notFound(what)
  return id
}
