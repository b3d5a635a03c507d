/** The part of a certificate that says whose it is, as `tls.TLSSocket.getPeerCertificate()` gives it. */
export interface NamedCertificate {
  /** `DNS:content, URI:spiffe://snipkeep/content`; values with special characters are quoted. */
  readonly subjectaltname?: string | undefined
}

/** The trust domain of the processes; who runs several installations gives each an authority of its own. */
const prefix = 'URI:spiffe://snipkeep/'

/**
 * The process that a certificate belongs to: the last part of its one SPIFFE id, `spiffe://snipkeep/<process>`. `null`
 * for a certificate with none, with several, or with a name that had to be quoted and so could pretend to be another.
 * @see https://github.com/spiffe/spiffe/blob/main/standards/X509-SVID.md
 */
export function peerIdentity({ subjectaltname: names = '' }: NamedCertificate): string | null {
  if (names.includes('"')) return null
  const uris = names.split(', ').filter((name) => name.startsWith('URI:'))
  const [uri] = uris
  if (uri === undefined || uris.length !== 1 || !uri.startsWith(prefix)) return null
  const process = uri.slice(prefix.length)
  return /^[a-z][a-z0-9-]{0,62}$/.test(process) ? process : null
}
