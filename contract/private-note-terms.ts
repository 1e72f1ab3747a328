/** The maximum length of a private note, in characters. */
export const PRIVATE_NOTE_LENGTH = 300
