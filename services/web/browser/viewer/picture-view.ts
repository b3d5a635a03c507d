import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../texts/text.js'
import { element } from './element.js'
import type { OpenView } from './view.js'
import './part-views.css'

/** Shows an image that was sent as text, with its size. One with too many pixels is never decoded. */
export const openPictureView: OpenView = async (host, { reader }) => {
  const picture = await reader.picture()
  if (picture !== null) {
    const { type, width, height, sizeBytes, url } = picture
    const size = text('picture.size', { type, width, height, size: readableSize(sizeBytes) })
    const facts = element('p', 'list-note', size)
    const body = element('div', 'viewer-picture')
    if (url === null) facts.append(` · ${text('picture.tooLarge')}`)
    else {
      const image = element('img', {
        attributes: { alt: text('picture.alt'), width, height, decoding: 'async' },
      })
      image.addEventListener('error', () => image.replaceWith(text('picture.broken')))
      image.src = url
      body.append(image)
    }
    host.append(facts, body)
  }
  return {
    reveal: async () => false,
    find: async () => null,
    setWrap: () => undefined,
    close: () => host.replaceChildren(),
  }
}
