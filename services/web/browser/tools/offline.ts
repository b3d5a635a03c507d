import { scriptAddress } from '../script-address.js'

/** Lets the pages of tools work without a network after this visit. Where the browser does not allow it, they need one. */
export function keepForOffline(): void {
  const { serviceWorker } = navigator
  // Only secure contexts have it, whatever its type says.
  if (!('serviceWorker' in navigator)) return
  serviceWorker
    .register(scriptAddress('/tools/service-worker.js'), { scope: '/tools' })
    .catch(() => undefined)
}
