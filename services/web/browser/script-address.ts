/** A policy of Trusted Types, as far as browsers that know them have it. */
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
 * The address of a script that a worker is made from. The only policy of Trusted Types that the page allows.
 * @throws TypeError for any address but those of our own build.
 */
export function scriptAddress(address: string): string {
  return policy?.createScriptURL(address) ?? check(address)
}
