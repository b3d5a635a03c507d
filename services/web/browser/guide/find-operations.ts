/** Shows only the links to operations that have all words in a field, in their names, methods, paths or anchors. */
export function findOperations(field: HTMLInputElement, list: Element | null): void {
  const items = [...(list?.children ?? [])].map((item) => {
    const link = item.querySelector<HTMLAnchorElement>('[data-find]')
    return { item, words: link && `${link.textContent} ${link.dataset.find} ${link.hash}`.toLowerCase() }
  })
  field.addEventListener('input', () => {
    const asked = field.value.toLowerCase().split(/\s+/)
    const isEmpty = field.value.trim() === ''
    for (const { item, words } of items)
      if (item instanceof HTMLElement)
        item.hidden = words === null ? !isEmpty : !asked.every((word) => words.includes(word))
  })
}
