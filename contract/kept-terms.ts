/** How long a note to oneself may be. */
export const PRIVATE_NOTE_LENGTH = 300
