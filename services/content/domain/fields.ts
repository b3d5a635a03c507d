import { type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { textErrors, toolErrors } from '#libs/core/field-rules.js'

/** The format of a snippet's name. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,99}$/

const nameError: FieldError = {
  pointer: '/name',
  code: 'invalid_format',
  detail: 'name must be 1 to 100 characters from a-z 0-9 . _ - and start with a letter or digit.',
}

const titleMax = 200
const tagMax = 50
const tagsMax = 20

function tagErrors(tags: readonly string[]): FieldError[] {
  const many = { pointer: '/tags', code: 'too_many', detail: `tags must have at most ${tagsMax} items.` }
  return [
    ...(tags.length > tagsMax ? [many] : []),
    ...tags.flatMap((tag, index) => textErrors(`/tags/${index}`, tag, tagMax)),
  ]
}

/** Tags trimmed and without duplicates, in their order. */
export function normaliseTags(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}

/**
 * Checks the fields that are given.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function checkFields(fields: {
  readonly name?: string | null | undefined
  readonly tool?: string | undefined
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
}): void {
  const errors = [
    ...(fields.name == null || namePattern.test(fields.name) ? [] : [nameError]),
    ...(fields.tool === undefined ? [] : toolErrors(fields.tool)),
    ...(fields.title === undefined ? [] : textErrors('/title', fields.title, titleMax)),
    ...(fields.tags === undefined ? [] : tagErrors(fields.tags)),
  ]
  if (errors.length > 0) throw validationFailed(errors)
}
