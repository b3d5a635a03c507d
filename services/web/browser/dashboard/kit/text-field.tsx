import type { HTMLInputTypeAttribute } from 'react'
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components'

export interface TextFieldProps
  extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'type'> {
  readonly label: string
  readonly description?: string
  /** The validation error. */
  readonly error?: string | null
  /** Visible lines; more than one make it a text area. */
  readonly rows?: number
  readonly type?: HTMLInputTypeAttribute
  readonly placeholder?: string
  readonly isMonospaced?: boolean
}

/** A text field with its label, a hint and its validation error. */
export function TextField({
  label,
  description,
  error = null,
  rows = 1,
  placeholder = '',
  isMonospaced = false,
  ...props
}: TextFieldProps) {
  const look = isMonospaced ? 'input mono' : 'input'
  return (
    // A false `isInvalid` would hide the browser's own validation error, and the form would refuse silently.
    <AriaTextField {...props} {...(error === null ? {} : { isInvalid: true })} className="field">
      <Label>{label}</Label>
      {rows > 1 ? (
        <TextArea className={look} rows={rows} placeholder={placeholder} spellCheck={!isMonospaced} />
      ) : (
        <Input className={look} placeholder={placeholder} />
      )}
      {description !== undefined && (
        <Text slot="description" className="hint">
          {description}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  )
}
