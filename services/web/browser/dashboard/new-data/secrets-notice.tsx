import { text } from '../../../texts/text.js'
import type { SecretsFound } from '../../secrets/find-data-secrets.js'
import { Notice } from '../kit/notice.js'

/** What was found in data that is about to be published. */
export function SecretsNotice({ found: { secrets } }: { readonly found: SecretsFound }) {
  return (
    <Notice tone="warning">
      <p>
        <strong>{text('secrets.found', { count: secrets.length })}</strong> {text('secrets.about')}
      </p>
      <ul>
        {secrets.map(({ name, certain, pointer, masked }) => (
          <li key={`${pointer} ${masked}`}>
            {text(certain ? 'secrets.certain' : 'secrets.likely', { name })} <code>{masked}</code>{' '}
            {pointer !== null && <code>{pointer}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
