import { CopyButton } from './copy-button.js'

/** Text to copy as a whole, such as a command. */
export function CodeBlock({ label, code, copyLabel }: { label: string; code: string; copyLabel?: string }) {
  return (
    <figure className="code-block">
      <figcaption>{label}</figcaption>
      <pre className="code mono">{code}</pre>
      <CopyButton value={code} {...(copyLabel === undefined ? {} : { label: copyLabel })} />
    </figure>
  )
}
