import { beforeEach, describe, expect, it } from 'vitest'
import { type Contract, contractEtag, contractQuota } from '../domain/contract.js'
import type { SnippetId } from '../domain/ids.js'
import type { Principal, Snippet } from '../domain/snippet.js'
import { preconditionFailed } from '../domain/stored-data.js'
import { ann, bob, type ContentFixture, noCheck, snippetDraft } from '../testing/content-fixture.js'

const owner: Principal = { kind: 'owner', id: null, label: null }
const key: Principal = { kind: 'api_key', id: 'k1', label: 'approver' }
const unlimited = contractQuota('pro', { contracts: null })
const limited = (contracts: number) => contractQuota('free', { contracts })

/** The behaviour of every store of contracts. */
export function contractStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let snippet: Snippet
    const add = async (): Promise<Snippet> => {
      const made = await fixture.ports.snippets.add(snippetDraft(fixture), null, null)
      if (made === null) throw new Error('no snippet')
      return made
    }
    const put = async (id: SnippetId, rules: string, quota = unlimited, principal = owner) => {
      const draft = { rules, principal }
      const done = await fixture.ports.contracts.put({ ownerId: ann, id }, draft, noCheck, quota)
      if (done === null) throw new Error('no snippet')
      return done
    }
    const found = () => fixture.ports.contracts.find(snippet)

    beforeEach(async () => {
      fixture = await open()
      snippet = await add()
    })

    it('keeps the rules as they were sent, who changed them last, and one version for each change', async () => {
      expect(await found()).toBeNull()
      const text = '{ "tolerance": [{"path":"/a","absolute":"0.10"}],\n "x": 1e400 }'
      const first = await put(snippet.id, text)
      expect(first).toMatchObject({ created: true, contract: { rules: text, version: 1, principal: owner } })
      expect(await found()).toEqual(first.contract)
      const second = await put(snippet.id, '{}', unlimited, key)
      expect(second).toMatchObject({ created: false, contract: { rules: '{}', version: 2, principal: key } })
      expect(second.contract.createdAt).toEqual(first.contract.createdAt)
      expect(contractEtag(second.contract)).not.toBe(contractEtag(first.contract))
      expect(await found()).toEqual(second.contract)
    })

    it('a contract after a removal has the next version, as if nothing else had happened', async () => {
      await put(snippet.id, '{}')
      expect(await fixture.ports.contracts.remove(snippet, noCheck)).toBe(true)
      expect([await found(), await fixture.ports.contracts.count(ann)]).toEqual([null, 0])
      expect(await fixture.ports.contracts.remove(snippet, noCheck)).toBe(false)
      expect(await put(snippet.id, '{}')).toMatchObject({ created: true, contract: { version: 3 } })
    })

    it('shows the current contract to a condition, which prevents the change', async () => {
      const seen: (Contract | null)[] = []
      const refuse = (now: Contract | null): void => {
        seen.push(now)
        throw preconditionFailed()
      }
      const { contracts } = fixture.ports
      const draft = { rules: '{}', principal: owner }
      const refused = { code: 'precondition_failed' }
      await expect(contracts.put(snippet, draft, refuse, unlimited)).rejects.toMatchObject(refused)
      const { contract } = await put(snippet.id, '{"order":"insignificant"}')
      await expect(contracts.put(snippet, draft, refuse, unlimited)).rejects.toMatchObject(refused)
      await expect(contracts.remove(snippet, refuse)).rejects.toMatchObject(refused)
      expect(seen).toEqual([null, contract, contract])
      expect(await found()).toEqual(contract)
    })

    it('exists only for a snippet of the owner, and is deleted with it', async () => {
      const { contracts, snippets, ids } = fixture.ports
      const draft = { rules: '{}', principal: owner }
      const unknown = { ownerId: ann, id: ids.snippet() }
      const others = { ownerId: bob, id: snippet.id }
      for (const one of [unknown, others]) {
        expect(await contracts.put(one, draft, noCheck, unlimited)).toBeNull()
        expect(await contracts.remove(one, noCheck)).toBe(false)
        expect(await contracts.find(one)).toBeNull()
      }
      await put(snippet.id, '{}')
      expect(await contracts.find(others)).toBeNull()
      await snippets.remove(ann, snippet.id, noCheck, true)
      expect([await found(), await contracts.count(ann)]).toEqual([null, 0])
    })

    it('lists the contracts of an owner without rules, in pages', async () => {
      const more = await Promise.all([add(), add()])
      const ids = [snippet, ...more].map(({ id }) => id).toSorted()
      for (const id of ids) await put(id, '{"order":"insignificant"}')
      const { contracts } = fixture.ports
      const first = await contracts.list(ann, null, 2)
      expect(first.map((one) => [one.snippetId, one.rules, one.version])).toEqual(
        ids.slice(0, 2).map((id) => [id, '', 1]),
      )
      const rest = await contracts.list(ann, first[1]?.snippetId ?? null, 2)
      expect(rest.map((one) => one.snippetId)).toEqual(ids.slice(2))
      expect(await contracts.list(bob, null, 2)).toEqual([])
    })

    it('keeps the limit exactly, also with twenty at once; replacing and removing stay possible beyond it', async () => {
      const all = [snippet, ...(await Promise.all(Array.from({ length: 19 }, add)))]
      const refused = { code: 'contract_limit_reached', details: { limit: 3, plan: 'free' } }
      const outcomes = await Promise.allSettled(all.map(({ id }) => put(id, '{}', limited(3))))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
      for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused)
      expect(await fixture.ports.contracts.count(ann)).toBe(3)
      const [kept] = await fixture.ports.contracts.list(ann, null, 1)
      if (kept === undefined) throw new Error('no contract')
      await put(kept.snippetId, '{"order":"insignificant"}', limited(1))
      await fixture.ports.contracts.remove({ ownerId: ann, id: kept.snippetId }, noCheck)
      await put(kept.snippetId, '{}', limited(3))
      await expect(put((await add()).id, '{}', limited(3))).rejects.toMatchObject(refused)
    })
  })
}
