import { accessSync, constants } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'
import { type BrowserErrors, watch } from './browser-errors.js'
import { type RequestRecorder, startRequestRecorder } from './request-recorder.js'

/** The first is the same engine without windows; fresh profiles cost half as much. */
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const
const executable = process.env.TEST_CHROMIUM ?? browsers.find(isExecutable) ?? browsers[1]
/** Twice as long as by default, for busy machines. */
const patienceMs = 60_000
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser with isolated profiles. */
export interface TestBrowser {
  /** A fresh, empty profile. */
  profile(options?: ProfileOptions): Promise<Profile>
  /** Everything that was sent to other machines. */
  readonly recorder: RequestRecorder
  close(): Promise<void>
}

/** Options of a profile. */
export interface ProfileOptions extends BrowserContextOptions {
  /** Origins that its pages may use besides their own. */
  readonly origins?: readonly string[]
}

/** A profile, and everything its pages did that they should not. */
export interface Profile {
  readonly browserErrors: BrowserErrors
  newPage(): Promise<Page>
  close(): Promise<void>
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Cases that need a browser. Without one they are skipped with a reason; under CI=true they fail. */
export function describeWithBrowser(name: string, cases: () => void): void {
  const reason = `there is no ${executable}; install it (Debian: apt-get install chromium-headless-shell), or set TEST_CHROMIUM`
  const needed = isExecutable(executable) || process.env.CI === 'true'
  describe.runIf(needed)(needed ? name : `${name} (needs Chromium: ${reason})`, cases)
}

async function openProfile(browser: Browser, { origins, ...options }: ProfileOptions): Promise<Profile> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  context.setDefaultTimeout(patienceMs)
  return {
    browserErrors: await watch(context, origins),
    newPage: () => context.newPage(),
    close: () => context.close(),
  }
}

/** Starts a browser that can only reach this machine: every other name resolves to a recorder. */
export async function startBrowser(): Promise<TestBrowser> {
  const recorder = await startRequestRecorder()
  const elsewhere = `--host-resolver-rules=MAP * 127.0.0.1:${recorder.port}, EXCLUDE 127.0.0.1, EXCLUDE localhost`
  const browser = await chromium.launch({ executablePath: executable, args: [...args, elsewhere] })
  return {
    recorder,
    profile: (options = {}) => openProfile(browser, options),
    async close() {
      await browser.close()
      await recorder.stop()
    },
  }
}
