import type { IconName } from '../kit/icon.js'

/** Something to do on the open page, found in the palette and by its keys. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  /** One key such as `c`, or two one after the other such as `g s`, as the keyboard's own layout writes them. */
  readonly keys?: string
  /** Whether it means the row in hand, of which there is none in the palette. */
  readonly isKeysOnly?: boolean
  run(): void
}
