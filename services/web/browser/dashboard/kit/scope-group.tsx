import { Checkbox, CheckboxGroup, FieldError, Label } from 'react-aria-components'
import type { ApiKey } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'

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
        <Checkbox key={scope} value={scope} className="check">
          <span className="check-box" aria-hidden="true">
            <Icon name="check" />
          </span>
          <span>
            <span className="check-name">{text(`keys.${scope}`)}</span>{' '}
            <span className="hint">{text(`keys.${scope}About`)}</span>
          </span>
        </Checkbox>
      ))}
      <FieldError className="field-error">{isMissing && text('keys.noScope')}</FieldError>
    </CheckboxGroup>
  )
}
