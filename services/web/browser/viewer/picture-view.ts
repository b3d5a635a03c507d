import { readableSize, text } from '../../texts/text.js'
import { element } from './element.js'
import { toggleButton } from './toggle-button.js'
import type { OpenView } from './view.js'

/**
 * Shows an image that was sent as text, with its size, as wide as there is room or pixel by pixel. One with too many
 * pixels is never decoded.
 */
export const openPictureView: OpenView = async (host, { reader }) => {
  const picture = await reader.picture()
  if (picture !== null) {
    const { type, width, height, sizeBytes, url } = picture
    const size = text('picture.size', { type, width, height, size: readableSize(sizeBytes) })
    const facts = element('p', 'list-note', size)
    const bar = element('div', 'viewer-picture-bar', facts)
    const body = element('div', {
      class: 'viewer-picture',
      attributes: { tabindex: 0, role: 'region', 'aria-label': text('view.picture') },
    })
    if (url === null) facts.append(` · ${text('picture.tooLarge')}`)
    else {
      const image = element('img', {
        attributes: { alt: text('picture.alt'), width, height, decoding: 'async' },
      })
      image.addEventListener('error', () => {
        image.replaceWith(text('picture.broken'))
        actual.element.remove()
      })
      image.src = url
      body.append(image)
      const actual = toggleButton(text('picture.actual'), (isOn) =>
        body.classList.toggle('viewer-picture-actual', isOn),
      )
      bar.append(actual.element)
    }
    host.append(bar, body)
  }
  return { close: () => host.replaceChildren() }
}
