import type { Site } from './site.js'
import { text } from './texts/text.js'

/** Where pages say that they can be installed as an app. */
export const manifestPath = '/manifest.webmanifest'

const icons = [
  { src: '/images/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
  { src: '/images/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
  { src: '/images/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
  { src: '/images/icon-maskable.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
]

/** The web app manifest: an app that begins with the tools, which work without a network. */
export function webManifest({ tools }: Pick<Site, 'tools'>): string {
  return JSON.stringify({
    id: '/',
    name: 'Snipkeep',
    short_name: 'Snipkeep',
    description: text('landing.description'),
    lang: 'en',
    start_url: tools ? '/tools' : '/dashboard',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#ffffff',
    theme_color: '#0b57d0',
    icons,
  })
}
