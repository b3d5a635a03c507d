import { notFound } from './problem.js'
import type { RequestContext } from './request-context.js'

export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9A-Za-z]{22}$/.test(text)
}

/** Whether a text is `@` and the name of a snippet. */
export function isNameReference(text: string | undefined): text is string {
  return text !== undefined && /^@[a-z0-9][a-z0-9._-]{0,99}$/.test(text)
}

/**
 * The id in the path.
 * @param what the subject of the error message: `This snippet`.
 * @throws DomainError `not_found` if it cannot be an id.
 */
export function idInPath({ params: { id } }: Pick<RequestContext, 'params'>, what: string): string {
  if (!isId(id)) throw notFound(what)
  return id
}

/**
 * The snippet in the path, by id or by `@` and its name.
 * @throws DomainError `not_found` if it can be neither.
 */
export function snippetInPath({ params: { id } }: Pick<RequestContext, 'params'>): string {
  if (!isId(id) && !isNameReference(id)) throw notFound('This snippet')
  return id
}
