import { type FieldError, validationFailed } from '#libs/core/domain-error.js'

const unprintable = /[\p{Cc}\p{Cs}]/u
const toolPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const titleMax = 200
const tagMax = 50
const tagsMax = 20

function textErrors(pointer: string, text: string, max: number): FieldError[] {
  const name = pointer.slice(1)
  const errors: FieldError[] = []
  if (text.trim() === '') errors.push({ pointer, code: 'too_short', detail: `${name} must not be empty.` })
  if ([...text].length > max) {
    errors.push({ pointer, code: 'too_long', detail: `${name} must be at most ${max} characters long.` })
  }
  if (unprintable.test(text)) {
    const detail = `${name} must not contain control characters or unpaired surrogates.`
    errors.push({ pointer, code: 'invalid_characters', detail })
  }
  return errors
}

function toolErrors(tool: string): FieldError[] {
  if (toolPattern.test(tool)) return []
  const detail = 'tool must be 1 to 64 of the characters A-Z a-z 0-9 . _ - and start with a letter or digit.'
  return [{ pointer: '/tool', code: 'invalid_format', detail }]
}

function tagErrors(tags: readonly string[]): FieldError[] {
  const many = { pointer: '/tags', code: 'too_many', detail: `tags must be at most ${tagsMax}.` }
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
  readonly tool?: string | undefined
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
}): void {
  const errors = [
    ...(fields.tool === undefined ? [] : toolErrors(fields.tool)),
    ...(fields.title === undefined ? [] : textErrors('/title', fields.title, titleMax)),
    ...(fields.tags === undefined ? [] : tagErrors(fields.tags)),
  ]
  if (errors.length > 0) throw validationFailed(errors)
}
