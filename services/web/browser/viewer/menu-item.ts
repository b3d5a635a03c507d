/** A choice of a menu: a link, further choices, or something to do. */
export interface MenuItem {
  readonly label: string
  /** The key that does the same. */
  readonly key?: string
  /** Of what is on or off. */
  readonly isOn?: boolean
  readonly href?: string
  readonly isDownload?: boolean
  /** Choices that take the place of these. Of those that are on or off only one is on. */
  readonly items?: () => readonly MenuItem[]
  choose?(): void
}

/** Choices, in groups with lines between them. */
export type MenuGroups = readonly (readonly MenuItem[])[]
