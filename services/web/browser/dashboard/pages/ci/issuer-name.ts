const known: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab' }

/** What people call an issuer. */
export function issuerName(issuer: string): string {
  return Object.hasOwn(known, issuer) ? (known[issuer] ?? issuer) : issuer
}
