/** The only client of the development issuer, and the audience of its tokens. */
export const developmentAudience = 'snipkeep'

/** The users with accounts from the start; any other name works, too. */
export const developmentUsers = ['free', 'pro'] as const

/** Whether someone can sign in with this name: any name of these characters works. */
export function isUserName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name)
}

export interface UserClaims {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
}

export function userClaims(name: string): UserClaims {
  return { sub: name, email: `${name}@example.com`, email_verified: true, name }
}
