/** The Trusted Types factory, in browsers that have it. */
interface ScriptPolicy {
  createScriptURL(address: string): string
}

interface TypedWindow {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(address: string): string }): ScriptPolicy
  }
}

function check(address: string): string {
  const { origin, pathname } = new URL(address, location.href)
  if (origin !== location.origin || !pathname.startsWith('/assets/'))
    throw new TypeError(`${address} is no script of ours`)
  return address
}

const policy = (globalThis as TypedWindow).trustedTypes?.createPolicy('snipkeep', { createScriptURL: check })

/**
 * A trusted script URL for a worker, by the page's only Trusted Types policy.
 * @throws TypeError for any URL outside our own build.
 */
export function scriptAddress(address: string): string {
  return policy?.createScriptURL(address) ?? check(address)
}
