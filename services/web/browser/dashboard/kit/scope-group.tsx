import { CheckboxGroup, FieldError, Label } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Check } from './check.js'

/** What a trusted publisher may do. */
export const jobScopes = ['read', 'write'] as const
/** What a key may do. */
export const keyScopes = [...jobScopes, 'approve'] as const

/** A checkbox for each scope. */
export function ScopeGroup<Scope extends (typeof keyScopes)[number]>({
  scopes,
  value,
  onChange,
  isMissing,
}: {
  readonly scopes: readonly Scope[]
  readonly value: readonly Scope[]
  onChange(value: readonly Scope[]): void
  /** Whether one must be chosen first. */
  readonly isMissing: boolean
}) {
  return (
    <CheckboxGroup
      className="field"
      value={[...value]}
      isInvalid={isMissing}
      onChange={(chosen) => onChange(scopes.filter((scope) => chosen.includes(scope)))}
    >
      <Label>{text('keys.scopes')}</Label>
      {scopes.map((scope) => (
        <Check key={scope} value={scope} label={text(`keys.${scope}`)} hint={text(`keys.${scope}About`)} />
      ))}
      <FieldError className="field-error">{isMissing && text('keys.noScope')}</FieldError>
    </CheckboxGroup>
  )
}
