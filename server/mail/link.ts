import type { Config } from '#server/bank/config.ts'

/** Returns the address at which a person opens a page of the bank: `pageUrl(config, '/claim?token=x')`. */
export function pageUrl({ origin, port }: Pick<Config, 'origin' | 'port'>, path: string): string {
  return `${origin ?? `http://localhost:${port}`}${path}`
}
