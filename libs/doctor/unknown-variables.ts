import type { Environment } from '../config/read-variables.js'
import type { Variables } from '../config/variables.js'
import { type Finding, warning } from './finding.js'

/** In shorter names, one letter more or less makes a different word. */
const lengthMin = 8

/** Whether one letter is missing, extra or different, or two are swapped. */
export function isOneSlipFrom(text: string, other: string): boolean {
  if (text === other || Math.abs(text.length - other.length) > 1) return false
  let same = 0
  while (text[same] === other[same]) same += 1
  const [rest, otherRest] = [text.slice(same), other.slice(same)]
  if (rest.length !== otherRest.length) return rest.slice(1) === otherRest || rest === otherRest.slice(1)
  const swapped = `${rest[1] ?? ''}${rest[0]}${rest.slice(2)}`
  return rest.slice(1) === otherRest.slice(1) || swapped === otherRest
}

/** A warning for every unused variable that is one typo away from one that this process reads. */
export function unknownVariables(variables: Variables, env: Environment): readonly Finding[] {
  const known = Object.entries(variables).flatMap(([name, { secret }]) =>
    secret ? [name, `${name}_FILE`] : [name],
  )
  return Object.keys(env).flatMap((name) => {
    if (name.length < lengthMin || known.includes(name)) return []
    const meant = known.find((candidate) => isOneSlipFrom(name, candidate))
    if (meant === undefined || (env[meant] ?? '') !== '') return []
    return [warning('configuration', `${name} is set but unused`, `did you mean ${meant}?`)]
  })
}
