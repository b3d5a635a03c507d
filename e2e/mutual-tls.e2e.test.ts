import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelCredentials, Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CertificateFiles } from '#libs/grpc/certificate-files.js'
import { openTransport, type Transport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { createTestAuthority, type TestAuthority } from '#libs/testing/test-certificates.js'
import { HistoryServiceService } from '#proto/snipkeep/activity/v1/history_service.js'
import { OperatorServiceService as BillingOperatorService } from '#proto/snipkeep/billing/v1/operator_service.js'
import { SubscriptionServiceService } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { DocumentServiceService } from '#proto/snipkeep/content/v1/document_service.js'
import { ImportServiceService } from '#proto/snipkeep/content/v1/import_service.js'
import { OperatorServiceService as ContentOperatorService } from '#proto/snipkeep/content/v1/operator_service.js'
import { PlanServiceService } from '#proto/snipkeep/content/v1/plan_service.js'
import { ReportServiceService } from '#proto/snipkeep/content/v1/report_service.js'
import { RevisionServiceService } from '#proto/snipkeep/content/v1/revision_service.js'
import { ShareServiceService } from '#proto/snipkeep/content/v1/share_service.js'
import { SnippetServiceService } from '#proto/snipkeep/content/v1/snippet_service.js'
import { UsageServiceService } from '#proto/snipkeep/content/v1/usage_service.js'
import { AccountServiceService } from '#proto/snipkeep/identity/v1/account_service.js'
import { ApiKeyServiceService } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { ErasureServiceService } from '#proto/snipkeep/identity/v1/erasure_service.js'
import { EventServiceService } from '#proto/snipkeep/identity/v1/event_service.js'
import { OperatorServiceService as IdentityOperatorService } from '#proto/snipkeep/identity/v1/operator_service.js'
import { TrustedPublisherServiceService } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import { JobServiceService } from '#proto/snipkeep/tools/v1/job_service.js'
import { iterations } from './harness/iterations.js'
import { startLoad } from './harness/load.js'
import { startSystem, type TestSystem } from './harness/system.js'

/** Every RPC of a process. */
const rpcs = {
  content: [
    DocumentServiceService,
    ImportServiceService,
    ContentOperatorService,
    PlanServiceService,
    ReportServiceService,
    RevisionServiceService,
    ShareServiceService,
    SnippetServiceService,
    UsageServiceService,
  ],
  identity: [
    AccountServiceService,
    ApiKeyServiceService,
    ErasureServiceService,
    EventServiceService,
    IdentityOperatorService,
    TrustedPublisherServiceService,
  ],
  activity: [HistoryServiceService],
  billing: [BillingOperatorService, SubscriptionServiceService],
  tools: [JobServiceService],
} as const
type ServiceName = keyof typeof rpcs
const serviceNames = Object.keys(rpcs) as ServiceName[]
const processes = [...serviceNames, 'gateway', 'web'] as const

function pathsOf(service: ServiceName): readonly string[] {
  return rpcs[service].flatMap((definition) => Object.values(definition).map(({ path }) => path))
}

const log = createLogger('e2e', 'silent')
const folder = mkdtempSync(join(tmpdir(), 'snipkeep-mutual-tls-'))
const filesOf = (name: string): CertificateFiles => ({
  caFile: join(folder, name, 'ca.crt'),
  certFile: join(folder, name, 'tls.crt'),
  keyFile: join(folder, name, 'tls.key'),
})

let authority: TestAuthority
let successor: TestAuthority
let system: TestSystem
const open: { close(): void }[] = []

/** Configures a process with a certificate of an authority, and the authorities to trust. */
function place(name: string, from: TestAuthority, ca: string): void {
  mkdirSync(join(folder, name), { recursive: true })
  const issued = from.issue(name)
  const { caFile, certFile, keyFile } = filesOf(name)
  copyFileSync(issued.certFile, certFile)
  copyFileSync(issued.keyFile, keyFile)
  writeFileSync(caFile, ca)
}

function transportOf(files: CertificateFiles): Transport {
  const transport = openTransport(files, log)
  open.push(transport)
  return transport
}

function portOf(service: ServiceName): number {
  const found = {
    content: system.contents[0],
    identity: system.identities[0],
    activity: system.activities[0],
    billing: system.payments?.billings[0],
    tools: system.tools,
  }[service]
  return found?.port ?? 0
}

/** The result of each RPC of a service for an empty message. */
async function responsesOf(
  service: ServiceName,
  channel: ChannelCredentials,
): Promise<Record<string, string | undefined>> {
  const client = new Client(`127.0.0.1:${portOf(service)}`, channel)
  const ask = (path: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const options = { deadline: Date.now() + 20_000 }
      const done = (error: ServiceError | null): void => resolve(status[error?.code ?? status.OK])
      const raw = (bytes: Buffer): Buffer => bytes
      client.makeUnaryRequest(path, raw, raw, Buffer.alloc(0), options, done)
    })
  const responses = await Promise.all(pathsOf(service).map(async (path) => [path, await ask(path)] as const))
  client.close()
  return Object.fromEntries(responses)
}

beforeAll(async () => {
  authority = createTestAuthority()
  successor = createTestAuthority('the next authority')
  const ca = readFileSync(authority.caFile, 'utf8')
  for (const name of processes) place(name, authority, ca)
  system = await startSystem({
    payments: {},
    transports: { gateway: transportOf(filesOf('gateway')), billing: transportOf(filesOf('billing')) },
    processEnv: (name) => ({
      GRPC_INSECURE: 'false',
      GRPC_TLS_CA_FILE: filesOf(name).caFile,
      GRPC_TLS_CERT_FILE: filesOf(name).certFile,
      GRPC_TLS_KEY_FILE: filesOf(name).keyFile,
    }),
  })
})
afterAll(async () => {
  await system?.stop()
  for (const one of open) one.close()
  authority?.remove()
  successor?.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('the ports of the services', () => {
  const everyRpc = (service: ServiceName, response: string): Record<string, string> =>
    Object.fromEntries(pathsOf(service).map((path) => [path, response]))

  it('reject clients without a certificate of the authority', async () => {
    const ended = authority.issue('ended', { subjectAltName: 'URI:spiffe://snipkeep/gateway', days: -1 })
    const foreign = { ...successor.issue('gateway'), caFile: authority.caFile }
    const strangers = (service: ServiceName): readonly ChannelCredentials[] => [
      credentials.createInsecure(),
      credentials.createSsl(readFileSync(authority.caFile), null, null, {
        checkServerIdentity: () => undefined,
      }),
      transportOf(ended).channelCredentials(service),
      transportOf(foreign).channelCredentials(service),
    ]
    for (const service of serviceNames) {
      for (const stranger of strangers(service))
        expect(await responsesOf(service, stranger)).toEqual(everyRpc(service, 'UNAVAILABLE'))
    }
  })

  it('reject a certificate without a process name, and a process that may not call, before any handler', async () => {
    const unnamed = authority.issue('unnamed', { subjectAltName: 'DNS:gateway' })
    const stranger = authority.issue('metrics')
    for (const service of serviceNames) {
      expect(await responsesOf(service, transportOf(unnamed).channelCredentials(service))).toEqual(
        everyRpc(service, 'UNAUTHENTICATED'),
      )
      expect(await responsesOf(service, transportOf(stranger).channelCredentials(service))).toEqual(
        everyRpc(service, 'PERMISSION_DENIED'),
      )
    }
  })

  it('let each process call only what it needs', async () => {
    const permitted = async (caller: string): Promise<readonly string[]> => {
      const found: string[] = []
      for (const service of serviceNames) {
        const responses = await responsesOf(service, transportOf(filesOf(caller)).channelCredentials(service))
        found.push(...Object.keys(responses).filter((path) => responses[path] !== 'PERMISSION_DENIED'))
      }
      return found.map((path) => path.slice('/snipkeep.'.length)).sort()
    }
    const erasing = ['ClaimSteps', 'FinishStep', 'PostponeStep'].map(
      (one) => `identity.v1.ErasureService/${one}`,
    )
    expect(await permitted('web')).toEqual([
      'content.v1.DocumentService/ReadDocument',
      'content.v1.ShareService/GetGatedShare',
      'content.v1.ShareService/GetShare',
    ])
    expect(await permitted('billing')).toEqual([
      'activity.v1.HistoryService/SetPlan',
      'content.v1.PlanService/SetPlan',
      'identity.v1.AccountService/SetPlan',
      ...erasing,
      'identity.v1.OperatorService/RecordAuditEntry',
    ])
    expect(await permitted('content')).toEqual([
      ...erasing,
      'identity.v1.EventService/RecordEvents',
      'identity.v1.OperatorService/RecordAuditEntry',
    ])
    expect(await permitted('activity')).toEqual(erasing)
    expect(await permitted('identity')).toEqual([])
    expect(await permitted('gateway')).toHaveLength(serviceNames.flatMap(pathsOf).length - 4 - erasing.length)
  })
})

describe('a system with mutual TLS', () => {
  const snippet = (title: string) => ({ tool: 'json', title, data: { n: 1 } })

  it('saves, shares, displays and handles an ended plan as usual', async () => {
    const pro = await system.user('pat', 'pro')
    const saved = await pro.post('/api/snippets', snippet('over mutual TLS'))
    expect(saved.status).toBe(201)
    const share = await pro.post('/api/shares', snippet('a page'))
    const page = await fetch(share.json<{ share_url: string }>().share_url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('a page')
    expect((await pro.post('/api/subscription/checkout', { interval: 'month' })).status).toBe(201)
  })

  /** Saves a snippet every 10 ms until stopped; returns the number of responses of each status. */
  it('replaces certificates and the authority under load without a failed call, and rejects the old one', async () => {
    const user = await system.user('rotating', 'pro')
    const [oldCa, newCa] = [readFileSync(authority.caFile, 'utf8'), readFileSync(successor.caFile, 'utf8')]
    const load = startLoad(100, {
      save: async () => (await user.post('/api/snippets', snippet('under load'))).status,
    })
    const reloads = (): readonly number[] =>
      system.processes.map((one) => one.output().split('certificates_reloaded').length)
    /** Waits until each process has reloaded its certificates, and checked for later changes. */
    const reloaded = async (before: readonly number[]): Promise<void> => {
      const late = () => reloads().filter((count, index) => count === before[index])
      await expect.poll(late, { interval: 200 }).toEqual([])
      await sleep(1_500)
    }
    let before = reloads()
    for (const name of processes) writeFileSync(filesOf(name).caFile, `${oldCa}${newCa}`)
    await reloaded(before)
    before = reloads()
    for (const name of processes) place(name, successor, `${oldCa}${newCa}`)
    await reloaded(before)
    // In the long run, past the minute after which every connection has been reopened.
    await sleep(iterations(0, 70_000))
    before = reloads()
    for (const name of processes) writeFileSync(filesOf(name).caFile, newCa)
    await reloaded(before)
    await sleep(iterations(0, 70_000))
    const outcomes = await load.stop()
    expect(outcomes.filter(({ status }) => status !== 201)).toEqual([])
    expect(outcomes.length).toBeGreaterThan(200)

    const late = transportOf({ ...authority.issue('gateway'), caFile: filesOf('gateway').caFile })
    expect(await responsesOf('content', late.channelCredentials('content'))).toMatchObject({
      '/snipkeep.content.v1.SnippetService/GetSnippet': 'UNAVAILABLE',
    })
    // New connections, which use only the new certificates.
    for (const one of [...system.contents, ...system.identities]) {
      await one.terminate()
      await one.restart()
    }
    await expect.poll(async () => (await user.post('/api/snippets', snippet('after'))).status).toBe(201)
  })
})
