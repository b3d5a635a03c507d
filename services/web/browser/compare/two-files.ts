import { text } from '../../texts/text.js'
import { takeDropsInto } from '../take-drops.js'

/** What is given for one side; a file takes the place of text, and text that of a file. */
interface GivenSide {
  /** `null` while there is nothing. */
  read(): Blob | null
  take(file: File): void
}

function givenSide(host: HTMLElement, onFile: () => void): GivenSide | null {
  const [area, field] = [host.querySelector('textarea'), host.querySelector('input')]
  if (area === null || field === null) return null
  area.addEventListener('input', () => {
    field.value = ''
  })
  field.addEventListener('change', () => {
    area.value = ''
    onFile()
  })
  return {
    read() {
      const file = field.files?.item(0) ?? null
      return file ?? (area.value === '' ? null : new Blob([area.value]))
    },
    take(file) {
      const files = new DataTransfer()
      files.items.add(file)
      field.files = files.files
      area.value = ''
    },
  }
}

/** Lets someone choose both sides: files or pasted text, which stay in the browser. */
export function chooseTwoFiles(form: HTMLElement, onSides: (sides: readonly [Blob, Blob]) => void): void {
  const [beforeHost, afterHost, problem] = ['before', 'after', 'sides-problem'].map((id) =>
    document.getElementById(id),
  )
  if (!beforeHost || !afterHost || !problem) return
  const compareIfBoth = (): boolean => {
    const [a, b] = [before?.read() ?? null, after?.read() ?? null]
    if (a === null || b === null) return false
    problem.textContent = ''
    onSides([a, b])
    return true
  }
  const before = givenSide(beforeHost, compareIfBoth)
  const after = givenSide(afterHost, compareIfBoth)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!compareIfBoth()) problem.textContent = text('compare.bothNeeded')
  })
  // What is dropped goes where there is room, and the second of two files to the other side.
  takeDropsInto(form, ([first, second]) => {
    if (first === undefined) return
    if (second === undefined) (before?.read() === null ? before : after)?.take(first)
    else {
      before?.take(first)
      after?.take(second)
    }
    compareIfBoth()
  })
}
