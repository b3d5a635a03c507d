import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'

/** A button of any look; while it `isPending` it keeps its place and its focus, and does nothing. */
export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'small' | 'icon'
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

/** Something to press. One with nothing but an icon needs an `aria-label`. */
export function Button({ variant = 'secondary', size = 'normal', children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`press press-${variant} press-${size}`}>
      {({ isPending }) => (
        <>
          <span className="press-content">{children}</span>
          {isPending && <span className="spinner" aria-hidden="true" />}
        </>
      )}
    </AriaButton>
  )
}
