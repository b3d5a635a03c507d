import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError } from 'oauth4webapi'
import { type TextName, text } from '../../../texts/text.js'

/** Why nobody is signed in after it was tried. */
export type SignInFailure =
  /** This server knows no issuer. */
  | 'not-configured'
  /** Without HTTPS the browser has no cryptography. */
  | 'insecure'
  /** The issuer, or our own settings, could not be reached. */
  | 'unreachable'
  /** The issuer said no. */
  | 'refused'
  /** The answer belongs to no sign-in that this tab has begun. */
  | 'interrupted'
  /** The issuer sent something that does not hold. */
  | 'invalid'
  /** The session has ended and could not be renewed. */
  | 'ended'

const silentRefusals: readonly string[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

/** Whether the issuer only said that it would have to ask, which it had been told not to. */
export function wantsInteraction(error: unknown): boolean {
  return error instanceof AuthorizationResponseError && silentRefusals.includes(error.error)
}

/** What an error of signing in means. */
export function failureOf(error: unknown): SignInFailure {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return 'refused'
  return error instanceof OperationProcessingError ? 'invalid' : 'unreachable'
}

const names: Readonly<Record<SignInFailure, TextName>> = {
  'not-configured': 'session.notConfigured',
  insecure: 'session.insecure',
  unreachable: 'session.unreachable',
  refused: 'session.refused',
  interrupted: 'session.interrupted',
  invalid: 'session.invalid',
  ended: 'session.ended',
}

/** A failure in words, with what to do. */
export function failureText(failure: SignInFailure): string {
  return text(names[failure])
}
