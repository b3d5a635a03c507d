import { pressButton } from './element.js'

/** A button that turns something on and off. */
export interface ToggleButton {
  readonly element: HTMLButtonElement
  isOn(): boolean
  set(isOn: boolean): void
}

/** A toggle, off at first; `onChange` is called when it is pressed. It may be shown as a sign. */
export function toggleButton(label: string, onChange: (isOn: boolean) => void, sign?: string): ToggleButton {
  const isOn = (): boolean => made.getAttribute('aria-pressed') === 'true'
  const set = (on: boolean): void => made.setAttribute('aria-pressed', String(on))
  const made = pressButton(
    label,
    () => {
      set(!isOn())
      onChange(isOn())
    },
    sign,
  )
  set(false)
  return { element: made, isOn, set }
}
