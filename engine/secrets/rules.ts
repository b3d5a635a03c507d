import { otherRules } from './other-rules.js'
import type { SecretRule } from './secret-rule.js'
import { tokenRules } from './token-rules.js'

/** All rules. */
export const secretRules: readonly SecretRule[] = [...tokenRules, ...otherRules]

const names: ReadonlyMap<string, string> = new Map(secretRules.map(({ id, name }) => [id, name]))

/** The name of a rule for people, with its article. */
export function secretName(rule: string): string {
  return names.get(rule) ?? 'a secret'
}
