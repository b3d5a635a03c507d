/** What a key does in a tree, as the practices for ARIA trees have it. */
export type TreeMove =
  | { readonly kind: 'by'; readonly rows: number }
  | { readonly kind: 'first' | 'last' | 'inwards' | 'outwards' | 'choose' }

/** What a key does; `null` for keys that are none of the tree's. */
export function treeMove(key: string, pageRows: number): TreeMove | null {
  switch (key) {
    case 'ArrowDown':
      return { kind: 'by', rows: 1 }
    case 'ArrowUp':
      return { kind: 'by', rows: -1 }
    case 'PageDown':
      return { kind: 'by', rows: pageRows }
    case 'PageUp':
      return { kind: 'by', rows: -pageRows }
    case 'Home':
      return { kind: 'first' }
    case 'End':
      return { kind: 'last' }
    case 'ArrowRight':
      return { kind: 'inwards' }
    case 'ArrowLeft':
      return { kind: 'outwards' }
    case 'Enter':
    case ' ':
      return { kind: 'choose' }
    default:
      return null
  }
}
