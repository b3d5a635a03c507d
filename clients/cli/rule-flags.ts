import type { OptionValues } from './command.js'

/** The flags of `diff` that are rules of a contract, by their names among the values. */
export const ruleFlags = [
  'shape',
  'tolerance',
  'pattern',
  'changeMax',
  'min',
  'max',
  'keys',
  'itemOrder',
  'schema',
] as const

/** Whether flags ask for a verdict rather than for a comparison. */
export function asksVerdict(options: OptionValues): boolean {
  const isGiven = (name: string): boolean => options[name] !== undefined && options[name] !== false
  return isGiven('contract') || ruleFlags.some(isGiven)
}
