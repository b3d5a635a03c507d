export type TreeMove =
  | { readonly kind: 'by'; readonly rows: number }
  | { readonly kind: 'first' | 'last' | 'inwards' | 'outwards' | 'choose' }

/** The effect of a key, following the ARIA tree pattern; `null` for other keys. */
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
