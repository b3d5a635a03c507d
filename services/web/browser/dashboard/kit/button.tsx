import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { text } from '../../../texts/text.js'

/** A button of any look. While `isPending` it keeps its place and its focus, and ignores presses. */
export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'small' | 'icon'
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

/** Icon-only buttons need an `aria-label`. */
export function Button({
  variant = 'secondary',
  size = 'normal',
  isPending = false,
  children,
  ...props
}: ButtonProps) {
  const look = `press press-${variant} press-${size}`
  // The library announces its own pending state through an element that references this button even once it
  // is gone.
  if (isPending)
    return (
      <AriaButton {...props} className={look} type="button" onPress={ignore} aria-disabled>
        <span className="press-content">{children}</span>
        <span className="spinner" aria-hidden="true" />
        <span className="hidden">{text('kit.loading')}</span>
      </AriaButton>
    )
  return (
    <AriaButton {...props} className={look}>
      <span className="press-content">{children}</span>
    </AriaButton>
  )
}

function ignore(): void {}
