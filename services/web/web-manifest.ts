import { sharedInputName } from '#shared/core/tool-form-field.js'
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

/** What other apps share with the installed one goes to its service worker, and to no server. */
const shareTarget = {
  action: `/tools/${sharedInputName}`,
  method: 'POST',
  enctype: 'multipart/form-data',
  params: {
    text: 'text',
    url: 'url',
    files: [
      {
        name: 'file',
        accept: ['text/*', 'application/json', '.json', '.csv', '.ndjson', '.yaml', '.yml', '.xml', '.sql'],
      },
    ],
  },
}

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
    theme_color: '#0f766e',
    icons,
    ...(tools ? { share_target: shareTarget } : {}),
  })
}
