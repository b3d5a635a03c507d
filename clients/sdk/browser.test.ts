import { afterEach, expect, it, vi } from 'vitest'
import { browserFetch } from './browser.js'
import { Snipkeep } from './snipkeep.js'

afterEach(() => vi.unstubAllGlobals())

type Reply = { readonly status: number; readonly body?: string } | 'broken' | 'hangs'

/** A browser whose uploads get these replies, each after half of the body and all of it were sent. */
function browser(...replies: Reply[]) {
  const sent: { method: string; url: string; headers: Record<string, string>; body: Blob }[] = []
  class Upload {
    readonly upload = { onprogress: (_event: { readonly loaded: number }): void => undefined }
    readonly headers: Record<string, string> = {}
    method = ''
    url = ''
    responseType = ''
    status = 0
    statusText = ''
    response = new Blob([])
    onload = (): void => undefined
    onerror = (): void => undefined
    onabort = (): void => undefined
    onloadend = (): void => undefined
    open(method: string, url: string): void {
      Object.assign(this, { method, url })
    }
    setRequestHeader(name: string, value: string): void {
      this.headers[name] = value
    }
    getAllResponseHeaders(): string {
      return 'content-type: application/json\r\netag: "e1"\r\n'
    }
    send(body: Blob): void {
      sent.push({ method: this.method, url: this.url, headers: this.headers, body })
      const reply = replies.shift()
      queueMicrotask(() => {
        if (reply === 'hangs' || reply === undefined) return
        if (reply === 'broken') {
          this.onerror()
          return this.onloadend()
        }
        this.upload.onprogress({ loaded: body.size / 2 })
        this.upload.onprogress({ loaded: body.size })
        this.status = reply.status
        this.response = new Blob([reply.body ?? '{"id":"s1"}'])
        this.onload()
        this.onloadend()
      })
    }
    abort(): void {
      this.onabort()
      this.onloadend()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  return { sent, sk: new Snipkeep({ server: 'https://s.example', fetch: browserFetch, retries: 0 }) }
}

const wanted = { tool: 'json', json: new Blob(['{"a":12}']), password: 'grüße' }

it('an upload says how far it has come', async () => {
  const { sk, sent } = browser({ status: 201 })
  const progress: (readonly [number, number | null])[] = []
  const onProgress = (now: { readonly sent: number; readonly total: number | null }): void => {
    progress.push([now.sent, now.total])
  }
  expect(await sk.shares.create(wanted, { onProgress })).toEqual({ id: 's1' })
  expect(progress).toEqual([
    [0, 8],
    [4, 8],
    [8, 8],
  ])
  expect(sent[0]).toMatchObject({ method: 'POST', url: 'https://s.example/api/shares?tool=json' })
  expect(sent[0]?.headers).toMatchObject({
    'content-type': 'application/vnd.snipkeep.data+json',
    'snipkeep-share-password': Buffer.from('grüße').toString('latin1'),
  })
  expect(await sent[0]?.body.text()).toBe('{"a":12}')
})

it('the refusal of an upload is a problem', async () => {
  const body = JSON.stringify({ code: 'data_too_large', detail: 'Too large.' })
  const { sk } = browser({ status: 413, body })
  await expect(sk.shares.create(wanted)).rejects.toMatchObject({ status: 413, code: 'data_too_large' })
})

it('an upload that breaks is a connection error', async () => {
  const { sk } = browser('broken')
  await expect(sk.shares.create(wanted)).rejects.toMatchObject({ name: 'ConnectionError' })
})

it('an upload stops with its signal, and none is sent after it', async () => {
  const { sk, sent } = browser('hangs')
  const controller = new AbortController()
  const sending = sk.shares.create(wanted, { signal: controller.signal })
  await vi.waitUntil(() => sent.length === 1)
  controller.abort(new Error('enough'))
  await expect(sending).rejects.toThrow('enough')
  await expect(sk.shares.create(wanted, { signal: controller.signal })).rejects.toThrow('enough')
  expect(sent).toHaveLength(1)
})

it('a silent upload is given up on', async () => {
  const { sk } = browser('hangs')
  const error = await sk.shares.create(wanted, { timeoutMs: 1 }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'SilenceTimeoutError' })
})

it('what is no upload goes by fetch', async () => {
  const { sent } = browser()
  vi.stubGlobal('fetch', async () => Response.json({ plans: [] }))
  const sk = new Snipkeep({ server: 'https://s.example', fetch: browserFetch })
  expect(await sk.account.plans()).toEqual({ plans: [] })
  expect(sent).toEqual([])
})
