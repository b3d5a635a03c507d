import { CheckboxGroup, FieldError, Label } from 'react-aria-components'
import type { ApiKey } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { Check } from './check.js'

/** What a key or a trusted publisher may do. */
export type Scope = ApiKey['scopes'][number]

const scopes: readonly Scope[] = ['read', 'write']

/** A checkbox for each scope. */
export function ScopeGroup({
  value,
  onChange,
  isMissing,
}: {
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
