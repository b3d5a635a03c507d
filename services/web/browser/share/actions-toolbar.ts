function controls(toolbar: HTMLElement): HTMLElement[] {
  return [...toolbar.querySelectorAll<HTMLElement>(':scope > span > :is(a, button)')]
}

/** Makes a toolbar one stop of the Tab key; the arrow keys move between its controls. */
export function oneTabStop(toolbar: HTMLElement): void {
  controls(toolbar).forEach((control, index) => {
    control.tabIndex = index === 0 ? 0 : -1
  })
  toolbar.onkeydown = (event) => {
    const all = controls(toolbar)
    const at = all.findIndex((control) => control.matches(':focus'))
    const step = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft')
    if (step === 0 || at < 0) return
    event.preventDefault()
    const next = all.at((at + step) % all.length)
    for (const control of all) control.tabIndex = control === next ? 0 : -1
    next?.focus()
  }
}
