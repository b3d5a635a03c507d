/** The options that differ from their defaults, as texts. */
export type OptionValues = readonly (readonly [name: string, text: string])[]

/** The controls of the options, by name. */
export interface OptionControls {
  /** What is chosen. */
  read(): OptionValues
  /** Chooses these, and the defaults of all others; unknown names and values that do not fit are ignored. */
  write(values: OptionValues): void
}

type Control = HTMLInputElement | HTMLSelectElement

function chosenIn(control: Control): string {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
    ? String(control.checked)
    : control.value
}

function choose(control: Control, value: string): void {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    control.checked = value === 'true'
    return
  }
  control.value = value
  // A select without such a choice has nothing selected, and an invalid number leaves its field empty.
  if (control.value !== value) control.value = control.dataset.fallback ?? ''
}

/** The controls in the options of the form; none if the tool has none. */
export function optionControls(host: HTMLElement | null): OptionControls {
  const controls = [...(host?.querySelectorAll<Control>('[data-fallback]') ?? [])]
  const fallbackOf = ({ dataset: { fallback = '' } }: Control): string => fallback
  return {
    read: () =>
      controls
        .map((control) => [control.name, chosenIn(control), fallbackOf(control)] as const)
        .filter(([, value, fallback]) => value !== fallback)
        .map(([name, value]) => [name, value]),
    write(values) {
      const wanted = new Map(values)
      for (const control of controls) choose(control, wanted.get(control.name) ?? fallbackOf(control))
    },
  }
}

/** The fragment that keeps options, with its `#`; empty for none. */
export function fragmentOf(values: OptionValues): string {
  return values.length === 0 ? '' : `#${new URLSearchParams(values.map(([name, text]) => [name, text]))}`
}

/** The options in a fragment. */
export function optionsIn(fragment: string): OptionValues {
  return [...new URLSearchParams(fragment.replace(/^#/, ''))]
}
