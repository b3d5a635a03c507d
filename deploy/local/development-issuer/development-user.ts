/** The audience that tokens of the development issuer name, and the client that they are made for. */
export const developmentAudience = 'snipkeep'

/** The users that exist from the start; any other name works as well. */
export const developmentUsers = ['free', 'pro'] as const

/** Whether the development issuer knows someone of this name: everyone whose name is plain. */
export function isUserName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name)
}

/** What the development issuer says of a user. */
export interface UserClaims {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
}

/** The claims about the user of this name. */
export function userClaims(name: string): UserClaims {
  return { sub: name, email: `${name}@example.com`, email_verified: true, name }
}
