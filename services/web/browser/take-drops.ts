/**
 * Takes files that are dropped anywhere on the page, until the returned function is called. `onOver` is told when files
 * are above it and when they no longer are.
 */
export function takeDrops(
  onOver: (isOver: boolean) => void,
  take: (files: readonly File[]) => void,
): () => void {
  const closed = new AbortController()
  const { signal } = closed
  const over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    onOver(true)
  }
  const leave = ({ relatedTarget }: DragEvent): void => {
    if (relatedTarget === null) onOver(false)
  }
  const drop = (event: DragEvent): void => {
    onOver(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
  document.addEventListener('dragover', over, { signal })
  document.addEventListener('dragleave', leave, { signal })
  document.addEventListener('drop', drop, { signal })
  return () => closed.abort()
}

/** The same, with a mark at an element while files are above the page. */
export function takeDropsInto(target: HTMLElement, take: (files: readonly File[]) => void): () => void {
  return takeDrops((isOver) => target.classList.toggle('over', isOver), take)
}
