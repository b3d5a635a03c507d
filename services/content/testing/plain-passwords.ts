import type { PasswordHashing } from '../ports.js'

/** A hash that costs nothing, for tests of everything else. */
export const plainPasswords: PasswordHashing = {
  hash: async (password) => `plain ${password}`,
  verify: async (password, hash) => hash === `plain ${password}`,
}
