import { detectKind } from '../document/kinds/detect-kind.js'
import { type Kind, kindOfName } from '../document/kinds/kind.js'
import { partText } from '../document/kinds/kind-content.js'
import type { Given } from './given.js'

/** Larger data is known by the name of its file alone. */
const readBytesMax = 1_048_576

/** What data is, as the pages of shares find out. */
async function detectBlob({ data, name }: Given): Promise<Kind> {
  const named = (name ?? '').split('.').at(-1) ?? ''
  if (data.size > readBytesMax) return kindOfName(named) ?? 'text'
  const bytes = new Uint8Array(await data.arrayBuffer())
  return (await detectKind(partText(bytes), named, '')).kind
}

addEventListener('message', ({ data }: MessageEvent<Given>) => {
  const answer = async (): Promise<void> => postMessage(await detectBlob(data).catch(() => 'text'))
  void answer()
})
