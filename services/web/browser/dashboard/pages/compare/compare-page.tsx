import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ChosenFile, FileChooser } from '../../kit/file-chooser.js'
import { TextField } from '../../kit/text-field.js'
import { FileDrop } from '../snippets/file-drop.js'
import { type ChosenSide, ShownComparison } from './shown-comparison.js'

/** What someone has entered for one side: something of ours by name, a file, or pasted text. */
interface SideInput {
  readonly reference: string
  readonly file: File | null
  readonly pasted: string
}

/** The fields of one side. A file or pasted text counts before a name, and stays in the browser. */
function SideFields({
  label,
  side,
  onChange,
}: {
  readonly label: string
  readonly side: SideInput
  onChange(side: SideInput): void
}) {
  const { reference, file, pasted } = side
  return (
    <fieldset className="compare-side">
      <legend>{label}</legend>
      {file === null ? (
        <>
          <TextField
            label={text('compare.reference')}
            description={text('compare.referenceHint')}
            value={reference}
            onChange={(typed) => onChange({ ...side, reference: typed })}
            isDisabled={pasted !== ''}
          />
          <TextField
            label={text('compare.paste')}
            description={text('compare.staysHere')}
            value={pasted}
            onChange={(typed) => onChange({ ...side, pasted: typed })}
            rows={3}
            isMonospaced
          />
        </>
      ) : (
        <ChosenFile name={file.name} size={file.size}>
          <Button size="small" onPress={() => onChange({ ...side, file: null })}>
            {text('compare.noFile')}
          </Button>
        </ChosenFile>
      )}
      <FileChooser label={text('snippets.choose')} onFile={(chosen) => onChange({ ...side, file: chosen })} />
    </fieldset>
  )
}

type Sides<Side> = readonly [Side, Side]

const names = ['a', 'b'] as const

function inputOf(reference: string | null): SideInput {
  return { reference: reference ?? '', file: null, pasted: '' }
}

/** What stays in the browser of what was entered; `null` for a name. */
function localOf({ file, pasted }: SideInput): Blob | null {
  if (file !== null) return file
  return pasted === '' ? null : new Blob([pasted])
}

/** Puts files that were dropped where there is room: two of them on both sides. */
function withFiles([a, b]: Sides<SideInput>, [first, second]: readonly File[]): Sides<SideInput> {
  if (first === undefined) return [a, b]
  if (second !== undefined)
    return [
      { ...a, file: first },
      { ...b, file: second },
    ]
  const isFree = a.file === null && a.reference === '' && a.pasted === ''
  return isFree ? [{ ...a, file: first }, b] : [a, { ...b, file: first }]
}

/** What is compared, and the button that compares it. */
function SidesForm({
  inputs,
  onChange,
  onSubmit,
}: {
  readonly inputs: Sides<SideInput>
  onChange(inputs: Sides<SideInput>): void
  onSubmit(): void
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="compare-sides" onSubmit={submit}>
      <SideFields
        label={text('compare.before')}
        side={inputs[0]}
        onChange={(side) => onChange([side, inputs[1]])}
      />
      <SideFields
        label={text('compare.after')}
        side={inputs[1]}
        onChange={(side) => onChange([inputs[0], side])}
      />
      <Button type="submit" variant="primary">
        {text('compare.start')}
      </Button>
    </form>
  )
}

/** Two documents side by side, at `/dashboard/compare?a=…&b=…`. */
export function ComparePage() {
  const [search, setSearch] = useSearchParams()
  const [a = null, b = null] = names.map((name) => search.get(name))
  const [inputs, setInputs] = useState<Sides<SideInput>>([inputOf(a), inputOf(b)])
  const [local, setLocal] = useState<Sides<Blob | null>>([null, null])
  const [isChanging, setChanging] = useState(false)
  const sides: readonly (ChosenSide | null)[] = [local[0] ?? a, local[1] ?? b]
  const [before, after] = sides
  const compare = (entered: Sides<SideInput>): void => {
    const chosen: Sides<Blob | null> = [localOf(entered[0]), localOf(entered[1])]
    const changed = new URLSearchParams(search)
    for (const [place, name] of names.entries()) {
      const reference = chosen[place] === null ? (entered[place]?.reference.trim() ?? '') : ''
      if (reference === '') changed.delete(name)
      else changed.set(name, reference)
    }
    setLocal(chosen)
    setSearch(changed)
    setChanging(false)
  }
  const onFiles = (files: readonly File[]): void => {
    const changed = withFiles(inputs, files)
    setInputs(changed)
    compare(changed)
  }
  const form = <SidesForm inputs={inputs} onChange={setInputs} onSubmit={() => compare(inputs)} />
  const isComparing = before != null && after != null
  return (
    <FileDrop onFiles={onFiles} label={text('compare.dropNow')}>
      <PageHeading title={text('compare.title')} about={text('compare.about')} />
      {isComparing ? (
        // The result comes first.
        <details
          className="compare-again"
          open={isChanging}
          onToggle={({ currentTarget }) => setChanging(currentTarget.open)}
        >
          <summary>{text('compare.again')}</summary>
          {form}
        </details>
      ) : (
        form
      )}
      {isComparing && <ShownComparison a={before} b={after} />}
    </FileDrop>
  )
}
