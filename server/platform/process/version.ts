import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The bank's version, as package.json says it. */
export const VERSION = version
