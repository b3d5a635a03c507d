import { beforeEach, describe, expect, it } from 'vitest'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import type { Snippet } from '../domain/snippet.js'
import { etagOf } from '../domain/stored-data.js'
import {
  ann,
  bob,
  type ContentFixture,
  getSnippet,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { deleteShare } from './delete-share.js'
import { getSnippets } from './get-snippets.js'
import { getShare } from './read-share.js'
import { deleteSnippet, updateSnippet } from './update-snippet.js'

const limits = testPlanLimits
const notOwner = { kind: 'forbidden', code: 'not_owner' }
const notFound = { kind: 'not-found', code: 'not_found' }
const changed = { kind: 'precondition-failed', code: 'precondition_failed' }

let fixture: ContentFixture
let snippet: Snippet

beforeEach(async () => {
  fixture = memoryFixture()
  const made = await fixture.ports.snippets.add(snippetDraft(fixture), null, null)
  if (made === null) throw new Error('no snippet')
  snippet = made
})

const update = (owner: typeof ann, fields: object) =>
  updateSnippet(fixture.ports, {
    ownerId: owner,
    plan: 'free',
    limits,
    id: snippet.id,
    ifMatch: [],
    mayApprove: false,
    ...fields,
  })

describe('a snippet', () => {
  it('can only be read, changed and deleted by its owner', async () => {
    await expect(getSnippet(fixture, bob, snippet.id, true)).rejects.toMatchObject(notOwner)
    await expect(update(bob, { title: 'Mine' })).rejects.toMatchObject(notOwner)
    await expect(deleteSnippet(fixture.ports, bob, snippet.id, ['*'], false)).rejects.toMatchObject(notOwner)
    expect((await getSnippet(fixture, ann, snippet.id, false)).record).toEqual(snippet)
  })

  it('gets its own response or error in a batch, whatever happens to the other reads', async () => {
    const read = { ownerId: ann, id: snippet.id, includeData: true, knownEtag: '' }
    const unknown = { ...read, id: fixture.ports.ids.snippet() }
    const results = await getSnippets(fixture.ports, [{ ...read, ownerId: bob }, read, unknown])
    expect(results).toMatchObject([
      { status: 'rejected', reason: notOwner },
      { status: 'fulfilled', value: await getSnippet(fixture, ann, snippet.id, true) },
      { status: 'rejected', reason: notFound },
    ])
  })

  it("is not sent again while the caller's copy is current, and only then", async () => {
    const read = { ownerId: ann, id: snippet.id, includeData: true, knownEtag: etagOf(snippet) }
    const theirs = { ...read, ownerId: bob }
    const unknown = { ...read, knownEtag: '' }
    const found = { status: 'fulfilled', value: await getSnippet(fixture, ann, snippet.id, true) }
    const same = { status: 'fulfilled', value: null }
    const refused = { status: 'rejected', reason: notOwner }
    expect(await getSnippets(fixture.ports, [read, theirs, unknown, read])).toMatchObject([
      same,
      refused,
      found,
      same,
    ])
    await update(ann, { title: 'New' })
    const [renamed] = await getSnippets(fixture.ports, [read])
    expect(renamed).toMatchObject({ value: { record: { title: 'New' }, data: { kind: 'inline' } } })
    await deleteSnippet(fixture.ports, ann, snippet.id, [], false)
    expect(await getSnippets(fixture.ports, [read])).toMatchObject([{ status: 'rejected', reason: notFound }])
  })

  it('that does not exist, or no longer does, is not found for anyone', async () => {
    await deleteSnippet(fixture.ports, ann, snippet.id, [], false)
    for (const owner of [ann, bob]) {
      await expect(getSnippet(fixture, owner, snippet.id, true)).rejects.toMatchObject(notFound)
      await expect(update(owner, { title: 'T' })).rejects.toMatchObject(notFound)
      await expect(deleteSnippet(fixture.ports, owner, snippet.id, [], false)).rejects.toMatchObject(notFound)
    }
  })

  it('is changed or deleted only if If-Match names its current ETag', async () => {
    await expect(update(ann, { title: 'N', ifMatch: ['x'] })).rejects.toMatchObject(changed)
    const next = await update(ann, { title: 'N', ifMatch: ['x', etagOf(snippet)] })
    await expect(
      deleteSnippet(fixture.ports, ann, snippet.id, [etagOf(snippet)], false),
    ).rejects.toMatchObject(changed)
    await deleteSnippet(fixture.ports, ann, snippet.id, [etagOf(next)], false)
  })

  it('refuses a change with any invalid field, and stays as it was', async () => {
    const bytes = Buffer.alloc(1_001)
    await expect(update(ann, { title: '', tool: '!' })).rejects.toMatchObject({
      details: { errors: [{}, {}] },
    })
    await expect(update(ann, { data: { kind: 'inline', bytes } })).rejects.toMatchObject({
      code: 'data_too_large',
    })
    expect((await getSnippet(fixture, ann, snippet.id, false)).record).toEqual(snippet)
  })
})

describe('a share', () => {
  it('can be read by anyone and deleted only by its owner, and is unknown afterwards', async () => {
    const share = await fixture.ports.shares.add(shareDraft(fixture), () => null, null)
    await expect(deleteShare(fixture.ports, bob, share.id, [])).rejects.toMatchObject(notOwner)
    await expect(deleteShare(fixture.ports, ann, share.id, ['x'])).rejects.toMatchObject(changed)
    expect((await getShare(fixture.ports, share.id, true)).record).toEqual(share)
    await deleteShare(fixture.ports, ann, share.id, [etagOf(share)])
    await expect(getShare(fixture.ports, share.id, true)).rejects.toMatchObject(notFound)
    await expect(deleteShare(fixture.ports, ann, share.id, [])).rejects.toMatchObject(notFound)
  })

  it('can still be deleted after it has expired', async () => {
    const share = await fixture.ports.shares.add(
      shareDraft(fixture),
      (now) => new Date(now.getTime() + 60_000),
      null,
    )
    await fixture.passTime(60_000)
    await deleteShare(fixture.ports, ann, share.id, [])
    await expect(getShare(fixture.ports, share.id, false)).rejects.toMatchObject(notFound)
  })
})
