import type { FieldError } from '#libs/core/domain-error.js'
import { pointerTo } from '#libs/core/json-pointer.js'

/** The value of a field that is kept as it was sent: the text of one JSON value, checked and never parsed. */
export interface RawJson {
  readonly text: string
}

/** What a member of the envelope is: its value is kept as a field, passed through as data, or only checked. */
export type MemberKind = 'field' | 'data' | 'checked-data' | 'checked'

/** The members of an envelope so far. */
export interface EnvelopeMembers {
  /** The parsed fields; it has no prototype. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly problems: readonly FieldError[]
  /** A member `data` has begun. */
  readonly dataSeen: boolean
  /** The JSON Pointer of the member that began last. */
  readonly pointer: string
  /** Begins the member whose key is this JSON string and says what its value is. */
  begin(keyText: string): MemberKind
  /** Says that the value of `data` is no object. */
  refuseData(): void
  /** Takes the value of the field that began last, as valid JSON. */
  setField(valueText: string): void
}

/** More problems than this are not listed; a body has room for thousands, and the answer should not. */
const problemsMax = 100

/** The names that an envelope may have beside `data`. */
export interface FieldNames {
  readonly fields: ReadonlySet<string>
  /** Those of the fields whose values are kept as `RawJson` instead of being parsed. */
  readonly rawFields?: ReadonlySet<string>
}

/** Sorts the members of an envelope. */
export function createEnvelopeMembers(names: FieldNames, takesData: boolean): EnvelopeMembers {
  const fields: Record<string, unknown> = Object.create(null)
  const problems: FieldError[] = []
  const seen = new Set<string>()
  let key = ''
  let pointer = ''

  function report(code: string, detail: string): void {
    if (problems.length < problemsMax) problems.push({ pointer, code, detail })
  }

  return {
    fields,
    problems,
    get dataSeen() {
      return takesData && seen.has('data')
    },
    get pointer() {
      return pointer
    },
    begin(keyText) {
      key = String(JSON.parse(keyText))
      pointer = pointerTo([key])
      const isData = takesData && key === 'data'
      const known = isData || names.fields.has(key)
      const again = seen.has(key)
      seen.add(key)
      if (!known && !again)
        report('unknown_field', `Unknown field ${JSON.stringify(key)}. Check its spelling or leave it out.`)
      if (known && again) report('duplicate_field', `${key} appears more than once; send it once.`)
      const used = known && !again
      if (isData) return used ? 'data' : 'checked-data'
      return used ? 'field' : 'checked'
    },
    refuseData: () => report('not_an_object', 'data must be a JSON object.'),
    setField(valueText) {
      const raw: RawJson = { text: valueText }
      fields[key] = names.rawFields?.has(key) === true ? raw : JSON.parse(valueText)
    },
  }
}
