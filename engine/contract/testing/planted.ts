/** A document, its contract, and changes of it with what each is judged to be, written by hand. */
export interface Planted {
  readonly name: string
  readonly baseline: string
  readonly contract: unknown
  /**
   * What is replaced by what, once, and the verdict; with `breaks`, each break follows as its rule and pointer. Without a
   * text to replace, the whole document is.
   */
  readonly changes: readonly (readonly [from: string, to: string, verdict: string])[]
}
