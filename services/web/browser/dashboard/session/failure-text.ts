import { type TextName, text } from '../../../texts/text.js'
import type { SignInFailure } from './issuer-client.js'

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
