import { useMemo, useState } from 'react'
import { text } from '../../../texts/text.js'
import { kindName } from '../../viewer/kind-name.js'
import {
  type DataKind,
  dataKinds,
  guessKind,
  isJson,
  type NewContent,
  type ReadyData,
  readyData,
  titleFromFile,
} from './new-data.js'

/** The state of the form for a new snippet or share; empty fields are suggested from the content. */
export interface NewRecord {
  readonly content: NewContent
  readonly kind: DataKind
  /** The kinds the content can be saved as. */
  readonly kinds: readonly DataKind[]
  readonly title: string
  readonly tool: string
  /** `null` while there is no content. */
  readonly ready: ReadyData | null
  change(fields: Partial<Pick<NewRecord, 'content' | 'kind' | 'title' | 'tool'>>): void
}

interface Entered {
  readonly content: NewContent
  readonly kind: DataKind | null
  readonly title: string | null
  readonly tool: string | null
}

function suggestedTitle({ fileName, text: entered }: NewContent, kind: DataKind): string {
  if (fileName !== '') return titleFromFile(fileName)
  return entered.trim() === '' ? '' : text('snippets.pastedTitle', { kind: kindName(kind) })
}

/** Starts the form with this content, which may be empty. */
export function useNewRecord(first: NewContent): NewRecord {
  const [entered, setEntered] = useState<Entered>({
    content: first,
    kind: null,
    title: null,
    tool: null,
  })
  const { content } = entered
  const guessed = useMemo(() => guessKind(content.fileName, content.text), [content])
  const kinds = useMemo(() => dataKinds.filter((kind) => kind !== 'json' || isJson(content.text)), [content])
  const kind = entered.kind !== null && kinds.includes(entered.kind) ? entered.kind : guessed
  const ready = useMemo(() => (content.text === '' ? null : readyData(kind, content.text)), [kind, content])
  return {
    content,
    kind,
    kinds,
    title: entered.title ?? suggestedTitle(content, kind),
    tool: entered.tool ?? kind,
    ready,
    change: (fields) => setEntered((before) => ({ ...before, ...fields })),
  }
}
