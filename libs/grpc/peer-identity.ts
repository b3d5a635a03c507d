/** The names in a certificate, as `tls.TLSSocket.getPeerCertificate()` returns them. */
export interface NamedCertificate {
  /** `DNS:content, URI:spiffe://snipkeep/content`; values with special characters are quoted. */
  readonly subjectaltname?: string | undefined
}

/** The trust domain of the processes; several installations need separate authorities. */
const prefix = 'URI:spiffe://snipkeep/'

/**
 * The process of a certificate: the last part of its only SPIFFE id, `spiffe://snipkeep/<process>`. `null` for a
 * certificate with none, with several, or with a quoted name that could imitate another.
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
