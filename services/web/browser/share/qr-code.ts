import { encode } from 'uqr'

const svg = 'http://www.w3.org/2000/svg'

function drawn(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(svg, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  return made
}

/**
 * The QR code of a text as a picture with this name: black on white in every colour scheme, as scanners
 * expect.
 */
export function drawQrCode(content: string, name: string): SVGElement {
  const { size, data } = encode(content, { ecc: 'M', border: 4 })
  const path = data
    .map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('')
  const picture = drawn('svg', {
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': name,
    'shape-rendering': 'crispEdges',
  })
  picture.append(
    drawn('rect', { width: String(size), height: String(size), fill: '#fff' }),
    drawn('path', { d: path, fill: '#000' }),
  )
  return picture
}
