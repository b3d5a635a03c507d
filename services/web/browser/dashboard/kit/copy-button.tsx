import { useEffect, useState } from 'react'
import { text } from '../../../texts/text.js'
import { showToast } from '../frame/toasts.js'
import { Button } from './button.js'
import { Icon } from './icon.js'

const copiedMs = 2_000

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({
  value,
  label = text('kit.copy'),
  name,
}: {
  readonly value: string
  readonly label?: string
  /** What is copied, on a small button that shows only an icon. */
  readonly name?: string
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => showToast(text('kit.copyFailed')),
    )
  }
  if (name !== undefined)
    return (
      <Button variant="quiet" size="icon" aria-label={isCopied ? text('place.copied') : name} onPress={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </Button>
    )
  return (
    <Button size="small" onPress={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span aria-live="polite">{isCopied ? text('place.copied') : label}</span>
    </Button>
  )
}
