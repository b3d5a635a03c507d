const known: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab' }

/** The display name of an issuer. */
export function issuerName(issuer: string): string {
  return Object.hasOwn(known, issuer) ? (known[issuer] ?? issuer) : issuer
}
