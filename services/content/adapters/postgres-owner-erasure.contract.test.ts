import { afterAll, beforeAll, expect, it } from 'vitest'
import { tablesWith } from '#libs/testing/tables-with.js'
import { eraseOwner } from '../application/erase-owner.js'
import { reportShare } from '../application/report-share.js'
import { contractQuota } from '../domain/contract.js'
import { ownerId } from '../domain/ids.js'
import { noChangeQuotas } from '../domain/revision.js'
import { noStorageQuota } from '../domain/stored-data.js'
import { checkDraft } from '../testing/checked-snippet.js'
import { documentData, inlineData, noCheck, shareDraft, snippetDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'

const erased = ownerId('ErasedOwner00000000000')
const marker = 'planted-marker'
let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_erasure')
})
afterAll(() => fixture?.close())

it('neither the id of an erased owner nor its content is in any table', async () => {
  const { ports, pool } = fixture
  const texts = { ownerId: erased, title: marker, tags: [marker] }
  const data = await documentData(fixture, erased, JSON.stringify({ marker }))
  const snippet = snippetDraft(fixture, { ...texts, data })
  await ports.snippets.add(snippet, 1, null)
  const by = { kind: 'api_key' as const, id: erased, label: marker }
  const key = { ownerId: erased, id: snippet.id }
  const rules = { rules: `{"schema":{"snippet":"@${marker}"}}`, principal: by }
  await ports.contracts.put(key, rules, noCheck, contractQuota('pro', { contracts: null }))
  const sent = { ownerId: erased, principal: by, title: marker, source: `https://ci.example/${marker}` }
  await ports.checks.add(checkDraft(fixture, snippet.id, sent), null, noChangeQuotas)
  const share = await ports.shares.add(
    shareDraft(fixture, { ownerId: erased, title: marker }),
    () => null,
    null,
  )
  const report = { shareId: share.id, reason: 'other', message: marker, email: `${marker}@example.com` }
  await reportShare(ports, { ...report, reporter: new Uint8Array(32) })
  const decision = {
    operatorId: erased,
    operatorName: marker,
    reason: 'spam',
    message: marker,
    shownAs: null,
  }
  await ports.moderation.setDisabled(share.id, true, decision)
  await ports.idempotency.begin({
    key: { ownerId: erased, operation: 'create-share', key: marker },
    holder: 'holder',
  })
  expect(await tablesWith(pool, [erased, marker])).toEqual(
    expect.arrayContaining([
      'audit_delivery',
      'document',
      'document_chunk',
      'event_delivery',
      'owner',
      'share',
      'snippet',
      'snippet_check',
      'snippet_contract',
    ]),
  )
  expect(await eraseOwner(ports, erased, 0)).toBe(true)
  expect(await tablesWith(pool, [erased, marker])).toEqual([])
})

it('a batch deletes no more rows than its limit, however many versions a snippet has', async () => {
  const { ports, pool } = fixture
  const owner = ownerId('ErasedOwner00000000001')
  const snippet = await ports.snippets.add(snippetDraft(fixture, { ownerId: owner }), null, null)
  const quotas = { storage: noStorageQuota, revisions: 10 }
  for (let version = 2; version <= 6; version += 1) {
    const data = inlineData(fixture, `[${version}]`)
    await ports.snippets.change(owner, snippet?.id ?? ports.ids.snippet(), { data }, noCheck, true, quotas)
  }
  const count = async (): Promise<number> => {
    const text = `SELECT ((SELECT count(*) FROM snippet WHERE snippet.owner_id = $1)
      + (SELECT count(*) FROM snippet_revision WHERE snippet_revision.owner_id = $1))::int AS n`
    return (await pool.query<{ n: number }>(text, [owner])).rows[0]?.n ?? -1
  }
  const left = [await count()]
  while ((left.at(-1) ?? 0) > 0 && left.length < 10) {
    await ports.erasure.removeRecords(owner, 2)
    left.push(await count())
  }
  expect(left).toEqual([6, 4, 2, 1, 0])
})
