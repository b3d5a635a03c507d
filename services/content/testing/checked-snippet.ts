import type { ApprovalQuotas } from '../contract-ports.js'
import type { Check, CheckDraft, CheckFilter, Judgement } from '../domain/check.js'
import type { CheckId, SnippetId } from '../domain/ids.js'
import { type ChangeQuotas, noChangeQuotas } from '../domain/revision.js'
import type { Principal, Snippet } from '../domain/snippet.js'
import { ann, type ContentFixture, inlineData, snippetDraft } from './content-fixture.js'

/** Who decides, and who sends candidates. */
export const approver: Principal = { kind: 'owner', id: null, label: null }
export const job: Principal = { kind: 'ci_job', id: 'tp_1', label: 'nightly' }

/** Room for everything; ten replaced versions are kept. */
export const roomy: ChangeQuotas = { ...noChangeQuotas, revisions: 10 }
const approvals: ApprovalQuotas = { snippets: null, refuse: () => new Error('no limit'), revisions: 10 }

/** The kept text of a break, of 65 bytes: ä has two. */
export const oneBreak = '[{"pointer":"/ä","rule":"value","baseline":"1","candidate":"2"}]'

/** What a test of checks sets; the rest is of a candidate `{"a":2}` that breaks version 1, with no breaks kept. */
type CheckFields = Partial<Omit<CheckDraft, 'judgement'>> & { readonly judgement?: Partial<Judgement> }

/** A draft of a check, with these fields replaced. */
export function checkDraft(fixture: ContentFixture, id: SnippetId, fields: CheckFields = {}): CheckDraft {
  const counts = { breakCount: 1, allowedCount: 0, breaks: '', truncated: false }
  return {
    ...{ id: fixture.ports.ids.check(), ownerId: ann, target: { id }, tool: null, title: null },
    ...{
      data: inlineData(fixture, '{"a":2}'),
      accept: 'same',
      principal: job,
      source: null,
      baselineId: null,
    },
    ...fields,
    judgement: {
      ...{ verdict: 'breaks', as: 'json', ...counts, baselineVersion: 1, contractVersion: 0 },
      ...fields.judgement,
    },
  }
}

/** Ann's snippet `@prices` with `{"a":1}`, and what tests do with its checks. */
export async function checkedSnippet(fixture: ContentFixture) {
  const { checks, snippets, usage, outbox, ids } = fixture.ports
  const draft = snippetDraft(fixture, { name: 'prices', data: inlineData(fixture, '{"a":1}') })
  const snippet = await snippets.add(draft, null, null)
  if (snippet === null) throw new Error('no snippet')
  const { id: snippetId } = snippet

  const send = async (fields: CheckFields = {}): Promise<Check> => {
    const check = await checks.add(checkDraft(fixture, snippetId, fields), null, roomy)
    if (check === null) throw new Error('no snippet')
    return check
  }
  const current = async (): Promise<Partial<Snippet> & { readonly text: string | null }> => {
    const [found] = await snippets.findAll([{ ownerId: ann, id: snippetId, includeData: true }])
    const text = found?.data?.kind === 'inline' ? Buffer.from(found.data.bytes).toString() : null
    return { ...found?.record, text }
  }
  return {
    snippet,
    send,
    /** Sends a candidate for a name that no snippet has. */
    sendNew: (name: string, text = '{"a":2}') =>
      send({
        ...{ target: { name }, tool: 'json', data: inlineData(fixture, text) },
        judgement: { verdict: 'new', breakCount: 0, baselineVersion: 0 },
      }),
    decide: (id: CheckId, approve: boolean, note: string | null = null, limits = approvals) => {
      const decision = { approve, note, principal: approver, newSnippet: ids.snippet() }
      return checks.decide({ ownerId: ann, id }, decision, limits)
    },
    find: async (id: CheckId) => (await checks.find(id, false))?.record,
    /** The bytes of a candidate; `null` if they are not kept. */
    textOf: async (id: CheckId): Promise<string | null> => {
      const found = await checks.find(id, true)
      return found?.data?.kind === 'inline' ? Buffer.from(found.data.bytes).toString() : null
    },
    current,
    list: (fields: Partial<CheckFilter> = {}) => {
      const of = { snippetId, name: snippet.name }
      return checks.list({ ownerId: ann, of, state: null, after: null, itemsMax: 1_000, ...fields })
    },
    stored: () => usage.storedBytes(ann),
    /** The events that wait for delivery. */
    events: () => outbox.claim(1_000, 15_000),
  }
}
