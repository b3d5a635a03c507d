/** The field of a tool's form that holds the input; options, whose names are in snake case, never have this name. */
export const toolInputField = 'input-text'

/** In the place of a tool's name: where the installed app gets what other apps share. Its service worker answers. */
export const sharedInputName = 'shared'
