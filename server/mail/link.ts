import type { Config } from '#server/bank/config.ts'

/** The address at which a person opens a page of the bank: `linkTo(config, '/claim?token=x')`. */
export function linkTo({ origin, port }: Pick<Config, 'origin' | 'port'>, path: string): string {
  return `${origin ?? `http://localhost:${port}`}${path}`
}
