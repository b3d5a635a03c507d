import { useEffect, useRef, useState } from 'react'
import type { Profile, Snipkeep } from '#sdk/exports.js'
import { languageNames, pageLanguages } from '#shared/core/page-language.js'
import { speech } from '../../../../texts/speech.js'
import { readableSize, text } from '../../../../texts/text.js'
import { hasSingleKeys, setSingleKeys } from '../../../keys/single-keys.js'
import { useApi, useProfile } from '../../api/api-context.js'
import { profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ApiDocsLink, ButtonLink } from '../../kit/button-link.js'
import { Check } from '../../kit/check.js'
import { FactList } from '../../kit/fact-list.js'
import { Icon } from '../../kit/icon.js'
import { Loaded } from '../../kit/loaded.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { dayOf } from '../../kit/relative-time.js'
import { saveFile } from '../../kit/save-file.js'
import { TextField } from '../../kit/text-field.js'

/** How far an export has come; its size is not known before its end. */
type OnBytes = (received: number) => void

/**
 * Fetches an archive of the account. The browser holds it, large ones on disk.
 * @throws SnipkeepError
 */
async function exportAccount(
  api: Snipkeep,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly content: Blob }> {
  const { body, fileName } = await api.account.exportArchive({ signal })
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, output) {
      received += chunk.length
      onBytes(received)
      output.enqueue(chunk)
    },
  })
  const content = await new Response(body.pipeThrough(counted)).blob()
  return { name: fileName ?? 'snipkeep.tar.gz', content }
}

/** The state of an export: how much has come, the failure, or neither. */
type ExportState =
  | { readonly kind: 'idle' | 'done' }
  | { readonly kind: 'running'; readonly received: number }
  | { readonly kind: 'failed'; readonly error: Error }

/** Downloads everything that the account holds. */
function ExportPanel() {
  const api = useApi()
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const isRunning = state.kind === 'running'

  const start = async (): Promise<void> => {
    const abort = new AbortController()
    running.current = abort
    setState({ kind: 'running', received: 0 })
    try {
      const onBytes = (received: number): void => setState({ kind: 'running', received })
      const { name, content } = await exportAccount(api, onBytes, abort.signal)
      saveFile(name, content)
      setState({ kind: 'done' })
    } catch (error) {
      if (abort.signal.aborted) setState({ kind: 'idle' })
      else setState({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  return (
    <section className="panel" aria-label={text('profile.export')}>
      <h2>{text('profile.export')}</h2>
      <p>{text('profile.exportHint')}</p>
      {state.kind === 'failed' && <ProblemNotice error={state.error} onRetry={() => void start()} />}
      <div className="press-row">
        <Button isDisabled={isRunning} onPress={() => void start()}>
          <Icon name="download" />
          {text('profile.exportButton')}
        </Button>
        {isRunning && <Button onPress={() => running.current?.abort()}>{text('loading.cancel')}</Button>}
        <span role="status">
          {isRunning && text('profile.exportRunning', { size: readableSize(state.received) })}
          {state.kind === 'done' && text('profile.exportDone')}
        </span>
      </div>
    </section>
  )
}

/** Closes the account once its name is typed. The page of a closed account follows by itself. */
function CloseDialog({ name, onClose }: { readonly name: string; onClose(): void }) {
  const [typed, setTyped] = useState('')
  return (
    <ConfirmChange
      title={text('closure.title')}
      action={text('closure.close')}
      change={(api) => api.account.close(typed)}
      outdated={[profileKey]}
      done={() => text('closure.closedToast')}
      onClose={onClose}
    >
      <p>{text('closure.about')}</p>
      <TextField
        label={text('closure.confirm', { name })}
        value={typed}
        onChange={setTyped}
        maxLength={320}
        autoComplete="off"
      />
    </ConfirmChange>
  )
}

/** The way out, at the end of the profile. */
function CloseAccount({ profile: { id, email } }: { readonly profile: Profile }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <section className="panel" aria-labelledby="close-account">
      <h2 id="close-account">{text('closure.close')}</h2>
      <p>{text('closure.hint')}</p>
      <Button variant="danger" onPress={() => setAsked(true)}>
        {text('closure.ask')}
      </Button>
      {isAsked && <CloseDialog name={email ?? id} onClose={() => setAsked(false)} />}
    </section>
  )
}

/** The ways to the dashboard in other languages, which a server remembers by a cookie. */
function LanguagePanel() {
  return (
    <section className="panel" aria-labelledby="language">
      <h2 id="language">{text('site.language')}</h2>
      <p className="press-row">
        {pageLanguages
          .filter((code) => code !== speech.language)
          .map((code) => (
            <a key={code} href={`/language/${code}`} lang={code} hrefLang={code}>
              {languageNames[code]}
            </a>
          ))}
      </p>
    </section>
  )
}

/** Switches the keys that run commands without Ctrl. */
function KeysPanel() {
  const [isOn, setOn] = useState(() => hasSingleKeys())
  return (
    <section className="panel" aria-label={text('command.help')}>
      <h2>{text('command.help')}</h2>
      <Check
        label={text('command.single')}
        hint={text('command.singleAbout')}
        isSelected={isOn}
        onChange={(chosen) => {
          setSingleKeys(chosen)
          setOn(chosen)
        }}
      />
    </section>
  )
}

/** Who is signed in. The issuer's picture is left out: nothing is loaded from other hosts. */
function Person({ profile }: { profile: Profile }) {
  const { name, email, email_verified: isVerified, id, plan, created_at: since } = profile
  const address = email !== null && (
    <>
      {email} <span className="badge">{text(isVerified ? 'profile.verified' : 'profile.unverified')}</span>
    </>
  )
  return (
    <FactList
      label={text('frame.profile')}
      facts={{
        'snippets.name': name ?? <span className="quiet">{text('profile.noName')}</span>,
        'profile.email': address || null,
        'frame.plan': text(`plan.${plan}`),
        'profile.since': dayOf(since),
        'profile.id': <span className="mono">{id}</span>,
      }}
    >
      <p className="hint">{text('profile.from')}</p>
    </FactList>
  )
}

/** The page at `/dashboard/profile`. */
export function ProfilePage() {
  const profile = useProfile()
  return (
    <>
      <PageHeading title={text('frame.profile')} />
      <Loaded query={profile} lines={3}>
        {(loaded) => <Person profile={loaded} />}
      </Loaded>
      <KeysPanel />
      <LanguagePanel />
      <ExportPanel />
      <div className="press-row">
        <ButtonLink href="/plan">{text('profile.toPlan')}</ButtonLink>
        <ApiDocsLink />
      </div>
      {profile.data !== undefined && <CloseAccount profile={profile.data} />}
    </>
  )
}
