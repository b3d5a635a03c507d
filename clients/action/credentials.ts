import { type Auth, apiKey } from '../sdk/exports.js'
import { InputError } from './input-error.js'
import type { Runner } from './runner.js'

/**
 * What the step calls Snipkeep with; `null` where it was given nothing.
 * @throws InputError for what cannot be a key, without repeating it.
 */
export function credentialsOf(runner: Runner): Auth | null {
  const key = runner.input('key')
  if (key === '') return null
  runner.mask(key)
  if (!/^[\x21-\x7e]+$/.test(key)) throw new InputError('key has characters that no API key has.')
  return apiKey(key)
}
