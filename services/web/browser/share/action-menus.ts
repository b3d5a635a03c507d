import { embedFrame } from '#shared/core/embed-frame.js'
import { text } from '../../texts/text.js'
import { parseDeepLink } from '../viewer/deep-link.js'
import type { MenuGroups, MenuItem } from '../viewer/menu-item.js'
import { copyAs } from './copy-as.js'
import { copyShown, openQrCode, type ShareActionsParts } from './copy-shown.js'
import { copyAsItems, copyForms, copyText } from './copying.js'
import type { ShareSettings } from './share-settings.js'

function codeItems({ settings, pageUrl, announce }: ShareActionsParts): readonly MenuItem[] {
  const { gated, title, text_path, raw_path, extension } = settings
  if (gated === true) return []
  const fetched = {
    url: new URL(text_path ?? raw_path, pageUrl).href,
    title,
    extension,
    form: text_path === null ? 'json' : 'text',
  } as const
  return copyAsItems(copyForms, (form) => copyAs(form, fetched), announce)
}

function formItems(parts: ShareActionsParts): readonly MenuItem[] {
  const sent = { label: text('share.asSent'), choose: () => copyShown(parts, 'source') }
  if (parts.shown()?.part.isFormatted !== true) return [sent]
  return [sent, { label: text('share.formatted'), choose: () => copyShown(parts, 'shown') }]
}

/** What else can be copied than what is shown. */
export function copyMenu(parts: ShareActionsParts): MenuGroups {
  return [formItems(parts), codeItems(parts)]
}

/** How it can be shared on. */
export function shareMenu({ settings, pageUrl, announce }: ShareActionsParts): MenuGroups {
  const hasPlace = parseDeepLink(location.hash.slice(1)) !== null
  const copied = (label: string, value: string, name: string): MenuItem => ({
    label,
    choose: () => copyText(value, name, announce),
  })
  const place = copied(text('share.copyPlace'), `${pageUrl}${location.hash}`, text('share.place'))
  const embed = text('share.embed')
  return [
    [copied(text('share.copyLink'), pageUrl, text('share.link')), ...(hasPlace ? [place] : [])],
    [
      { label: text('share.qr'), choose: () => openQrCode(pageUrl, announce) },
      ...(settings.gated === true ? [] : [copied(embed, embedFrame(pageUrl, settings.title), embed)]),
    ],
  ]
}

/** What can be downloaded besides the value that is shown. */
export function downloadMenu({ settings }: ShareActionsParts): MenuGroups {
  const href = `${settings.raw_path}?download=true`
  return [[{ label: text('share.json'), href, isDownload: true }]]
}

/** All of that, where there is no room for more than one menu. */
export function allMenu(parts: ShareActionsParts, download: string, offersWhole: boolean): MenuGroups {
  const code = codeItems(parts)
  return [
    [{ label: text('share.copy'), choose: () => copyShown(parts) }, ...formItems(parts)],
    [
      { label: text('share.download'), href: download, isDownload: true },
      ...(offersWhole ? downloadMenu(parts).flat() : []),
    ],
    ...shareMenu(parts),
    code.length === 0 ? [] : [{ label: text('share.copyAs'), items: () => code }],
  ]
}

/** Lists what keys do on the page. */
export function openShortcuts(): void {
  import('./shortcuts.js').then(({ showShareShortcuts }) => showShareShortcuts()).catch(() => undefined)
}

/** What the menu of the views holds of the page. */
export function pageItems({ id, gated, raw_path, text_path }: ShareSettings): readonly MenuItem[] {
  return [
    ...(gated === true ? [] : [{ label: text('share.compare'), href: `/s/${id}/compare` }]),
    { label: text('share.raw'), href: text_path ?? raw_path },
    { label: text('share.print'), key: 'Ctrl+P', choose: () => print() },
    { label: text('keys.title'), key: '?', choose: openShortcuts },
  ]
}
