// A plugin for a framework we don't use; the package bundles the whole reference in one file.
import scalarAddress from '../../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?url'
import { scriptAddress } from '../script-address.js'
import { holdToPolicy } from './hold-to-policy.js'
import { settings } from './settings.js'

interface ScalarWindow {
  readonly Scalar?: { createApiReference(place: HTMLElement, settings: object): void }
}

/** Replaces the server-rendered page with the reference. The page stays if the reference fails to load. */
function show(): void {
  const { Scalar } = globalThis as ScalarWindow
  const place = document.querySelector<HTMLElement>('#reference')
  if (Scalar === undefined || place === null) return
  for (const part of document.querySelectorAll('[data-plain]')) part.remove()
  Scalar.createApiReference(place, settings(location.origin, document.title))
}

holdToPolicy(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '')
const script = document.createElement('script')
script.src = scriptAddress(scalarAddress)
script.addEventListener('load', show)
document.head.append(script)
