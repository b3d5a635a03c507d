/** The Trusted Types factory, in browsers that have it. */
interface ScriptPolicy {
  createScriptURL(address: string): string
}

interface TypedWindow {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(address: string): string }): ScriptPolicy
  }
}

const ownPaths = ['/assets/', '/tools/assets/', '/tools/service-worker.js']

function check(address: string): string {
  const { origin, pathname } = new URL(address, location.href)
  if (origin !== location.origin || !ownPaths.some((path) => pathname.startsWith(path)))
    throw new TypeError(`${address} is no script of ours`)
  return address
}

/** The service worker of the pages of tools serves workers too, but only those below `/tools`. */
function inScope(address: string): string {
  return location.pathname.startsWith('/tools/') && address.startsWith('/assets/')
    ? `/tools${address}`
    : address
}

const policy = (globalThis as TypedWindow).trustedTypes?.createPolicy('snipkeep', { createScriptURL: check })

/**
 * A trusted script URL for a worker, by the page's only Trusted Types policy.
 * @throws TypeError for any URL outside our own build.
 */
export function scriptAddress(address: string): string {
  const scoped = inScope(address)
  return policy?.createScriptURL(scoped) ?? check(scoped)
}
