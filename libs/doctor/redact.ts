import { readFileSync } from 'node:fs'
import type { Environment } from '../config/read-variables.js'
import type { Variables } from '../config/variables.js'

/** Shorter values cannot be distinguished from ordinary words. */
const secretLengthMin = 6

function fromFile(path: string | undefined): string {
  try {
    return path === undefined || path === '' ? '' : readFileSync(path, 'utf8').trimEnd()
  } catch {
    return ''
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value itself, each item of a list, and the password of a URL. */
function partsOf(value: string): readonly string[] {
  const password = URL.canParse(value) ? new URL(value).password : ''
  const items = value.split(',').flatMap((item) => [item, item.replace(/^\d+:/, '')])
  return [value, ...items, password, decoded(password)].map((part) => part.trim())
}

/** Removes the values of secret variables from texts, such as the messages of drivers. */
export function redactSecrets(variables: Variables, env: Environment): (text: string) => string {
  const secrets = Object.entries(variables)
    .filter(([, { secret }]) => secret)
    .flatMap(([name]) => [env[name] ?? '', fromFile(env[`${name}_FILE`])])
    .flatMap(partsOf)
    .filter((part) => part.length >= secretLengthMin)
    .sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((safe, secret) => safe.replaceAll(secret, '(secret)'), text)
}
