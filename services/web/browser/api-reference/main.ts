// A plugin for a framework that we don't use: the package has the whole build of the reference in one file.
import scalarAddress from '../../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?url'
import { scriptAddress } from '../script-address.js'
import { holdToPolicy } from './hold-to-policy.js'
import { settings } from './settings.js'

interface ScalarWindow {
  readonly Scalar?: { createApiReference(place: HTMLElement, settings: object): void }
}

/** Puts the reference in the place of the page as the server made it, which stays when there is none. */
function show(): void {
  const { Scalar } = globalThis as ScalarWindow
  const place = document.querySelector<HTMLElement>('#reference')
  if (Scalar === undefined || place === null) return
  for (const part of document.querySelectorAll('[data-plain]')) part.remove()
  Scalar.createApiReference(place, settings(location.origin))
}

holdToPolicy(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '')
const script = document.createElement('script')
script.src = scriptAddress(scalarAddress)
script.addEventListener('load', show)
document.head.append(script)
