/** The field of a tool's form that holds the input; options, whose names are in snake case, never have this name. */
export const toolInputField = 'input-text'
