import { spawn } from 'node:child_process'
import type { Terminal } from './terminal.js'
import { isWebAddress } from './web-address.js'

function opener(env: Terminal['env'], address: string): readonly [string, readonly string[]] {
  if (env.BROWSER) return [env.BROWSER, [address]]
  if (process.platform === 'darwin') return ['open', [address]]
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]]
  return ['xdg-open', [address]]
}

/** Opens a browser if there is one, for https: addresses, and http: addresses of this machine. Failures don't matter, because the address is printed too. */
export function openBrowser(address: URL, env: Terminal['env']): Promise<boolean> {
  if (!isWebAddress(address)) return Promise.resolve(false)
  const [command, args] = opener(env, address.href)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
