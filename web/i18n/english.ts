import type { Messages } from '#locales/catalog.ts'

/** The English texts of all loaded files. The build makes each file add its own texts (locales/vite-plugin.ts). */
export const ENGLISH: Messages = {}
