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

/** A field for text. */
export interface TextFieldProps
  extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'type'> {
  readonly label: string
  readonly description?: string
  /** What is wrong with what was entered. */
  readonly error?: string | null
  /** Lines that are shown; more than one make a larger field. */
  readonly rows?: number
  readonly type?: HTMLInputTypeAttribute
  readonly placeholder?: string
  readonly isMonospaced?: boolean
}

/** A field for text with its label, a hint and what is wrong. */
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
    // A false `isInvalid` would hide what the browser finds wrong, and the form would refuse without a word.
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
