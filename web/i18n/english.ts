import type { Messages } from '#locales/catalog.ts'

/** The texts in English of all that has been loaded; the build has each file add its own (locales/vite.ts). */
export const ENGLISH: Messages = {}
